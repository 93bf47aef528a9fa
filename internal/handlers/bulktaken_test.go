package handlers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// No bound of items refuses an evidence map of 100,000 claims with their chunks.
func TestClaimsWithTheirChunksAreTaken(t *testing.T) {
	const n = 100_000
	s := webtest.NewServer(t)
	var b strings.Builder
	b.WriteString(`{"chunks":[`)
	for i := range n {
		fmt.Fprintf(&b, `%s{"source_root":"r%d","chunk_idx":%d,"chunk_root":"c%d","span":"Item %d is covered for 15 days."}`,
			strings.Repeat(",", min(i, 1)), i%100, i, i, i)
	}
	b.WriteString(`],"claims":[`)
	for i := range n {
		fmt.Fprintf(&b, `%s{"text":"Item %d is covered","pointer_ids":["E%d"]}`, strings.Repeat(",", min(i, 1)), i, i+1)
	}
	b.WriteString(`]}`)
	require.Greater(t, b.Len(), 10<<20)
	answer := webtest.Get[struct{ Evidence []struct{ Span string } }](t,
		s.Do("POST", "/api/v1/evidence-maps", b.String()), 200)
	require.Len(t, answer.Evidence, n)
	require.Equal(t, "Item 99999 is covered for 15 days.", answer.Evidence[n-1].Span)
}

// A bundle of thousands of texts of ordinary length is taken.
func TestLargeBundlesAreTaken(t *testing.T) {
	s := webtest.NewServer(t)
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, `%s{"text":"Item %d is covered for 15 days. %s","source_uri":"https://intranet.example/%d"}`,
			strings.Repeat(",", min(i, 1)), i, strings.Repeat("Carryover is 5 days. ", 20), i)
	}
	body := `{"policy":{"max_items":50},"job_input":{"extra_params":{"other":{"a":[[],{},1]},"evidence":[` + b.String() +
		`]}}}`
	w := s.Do("POST", "/api/v1/bundles", body)
	require.Equal(t, 201, w.Code, "%.500s", w.Body)
}
