package sources_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sanad/internal/domain/sources"
)

// BenchmarkPack passes three chunks of 1,200 code points for each candidate.
func BenchmarkPack(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		benchPack(b, fmt.Sprint("default/", n), n, sources.Options{})
	}
	for _, n := range []int{1_000, 10_000} { // every candidate becomes a source with three hashed snippets
		benchPack(b, fmt.Sprint("all/", n), n, sources.Options{MaxSources: new(n), SnippetsPerSource: new(3)})
	}
}

func benchPack(b *testing.B, name string, n int, o sources.Options) {
	candidates, chunks := retrieved(n)
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sources.Pack(candidates, chunks, o)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/candidate")
	})
}

func retrieved(n int) ([]sources.Candidate, []sources.Chunk) {
	passage := strings.Repeat("Employees have 15 days of leave. ", 36)
	candidates, chunks := make([]sources.Candidate, n), make([]sources.Chunk, 0, 3*n)
	for i := range candidates {
		id := fmt.Sprint("doc-", i)
		candidates[i] = sources.Candidate{ItemID: id, Kind: sources.Documents, Title: "Leave policy",
			Score:    new(float64(i * 7919 % 10007)),
			Metadata: map[string]json.RawMessage{"year": json.RawMessage(`2024`), "token": json.RawMessage(`"x"`)}}
		for k := range 3 {
			chunks = append(chunks, sources.Chunk{ItemID: id, Text: fmt.Sprint(k, passage), Score: new(float64(k))})
		}
	}
	return candidates, chunks
}
