package bundle_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/domain/redact"
)

func replay(t *testing.T, b bundle.Bundle, req *bundle.Request, l lake) *bundle.Comparison {
	t.Helper()
	got, err := bundle.Replay(&b, req, l.load, nil)
	require.NoError(t, err)
	return got
}

// stored returns a bundle as it is read from the lake.
func stored(t *testing.T, b bundle.Bundle) (out bundle.Bundle) {
	t.Helper()
	data, err := b.Bytes()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &out))
	return out
}

// Bundles of both versions are built again, from the request and from what the record keeps (rule B-16).
func TestReplayOfEveryVersion(t *testing.T) {
	data, err := os.ReadFile("testdata/2.0.json")
	require.NoError(t, err)
	var v vectors
	require.NoError(t, json.Unmarshal(data, &v))
	for _, version := range []string{"2.0", "2.1", "2.2"} {
		for _, x := range v.Builds {
			req := request(t, string(x.Request))
			made, err := bundle.BuildAs(version, &req, noon, v.Lake.load, nil)
			require.NoError(t, err)
			was, l := stored(t, made.Bundle), maps.Clone(v.Lake)
			for _, w := range made.Writes {
				l[w.LakeURI] = string(w.Data)
			}
			all := len(was.Items) + len(was.DroppedItems) + len(was.FailedSources)
			got := replay(t, was, &req, l)
			require.Equal(t, "request", got.Input)
			require.True(t, got.Equal, got)
			require.Equal(t, map[string]int{"same": all}, got.Counts)

			got = replay(t, was, nil, l)
			require.Equal(t, "record", got.Input)
			require.Equal(t, version, got.BuildVersion)
			require.True(t, got.Equal, got)
			require.Equal(t, was.BundleID, got.BuiltID)
			require.Equal(t, all, got.Counts["same"]+got.Counts["not_kept"])
			for _, s := range got.Sources {
				if s.Outcome == "not_kept" {
					require.Equal(t, "dropped", s.Was)
					require.Empty(t, s.SourceRef.LakeURI, "what is in the lake is loaded again")
				}
			}
		}
	}
}

// outcomes returns the outcome of each source, by the last part of what it comes from.
func outcomes(c *bundle.Comparison) map[string]string {
	out := map[string]string{}
	for _, s := range c.Sources {
		out[s.SourceRef.LakeURI+s.SourceRef.DocumentID] += strings.TrimSpace(s.Outcome + " " + s.Was + ">" + s.Now + " " + s.Reason)
	}
	return out
}

// An artifact that was changed or withdrawn, or that is there by now, is named; the others are the same.
func TestReplayNamesWhatDiffers(t *testing.T) {
	for _, version := range []string{"2.0", "2.1", "2.2"} {
		t.Run(version, func(t *testing.T) {
			l := lake{"changed": "Leave is 15 days.", "gone": "Leave is 20 days.", "same": "Leave is 30 days.",
				"rows": sqlOf(3, 1), "chunks": strings.Repeat("word ", 20)}
			req := request(t, `{"evidence_refs":{"lake_text":["changed","gone","late","same"],
				"sql_results":[{"lake_uri":"rows","query_key":"k"}],"documents":[{"document_id":"d","lake_uri":"chunks"}]},
				"policy":{"chunk_size":40,"chunk_overlap":0}}`)
			made, err := bundle.BuildAs(version, &req, noon, l.load, nil)
			require.NoError(t, err)
			was := stored(t, made.Bundle)
			l["changed"], l["late"], l["rows"] = "Leave is 51 days.", "Late.", sqlOf(4, 1)
			delete(l, "gone")
			delete(l, "chunks")
			none := "missing item>failed There is no such artifact."
			for _, from := range []*bundle.Request{nil, &req} {
				got := replay(t, was, from, l)
				require.False(t, got.Equal)
				require.True(t, got.RecordHolds)
				require.NotEqual(t, got.BundleID, got.BuiltID)
				require.Equal(t, map[string]string{
					"changed": "differs item>item", "gone": none, "late": "added failed>item", "same": "same item>item",
					"rows": "differs item>item", "chunksd": none + none + none,
				}, outcomes(got))
				require.Equal(t, map[string]int{"same": 1, "differs": 2, "missing": 4, "added": 1}, got.Counts)
				require.Equal(t, []bundle.Difference{
					{Field: "content_sha256", Was: `"` + sha("Leave is 15 days.") + `"`, Now: `"` + sha("Leave is 51 days.") + `"`},
					{Field: "evidence_id", Was: `"lake:` + sha("Leave is 15 days.")[:12] + `:0"`,
						Now: `"lake:` + sha("Leave is 51 days.")[:12] + `:0"`},
				}, got.Sources[0].Differs)
			}
		})
	}
}

// With a request that says something else, the comparison names what is new and what is gone.
func TestReplayOfAnotherRequest(t *testing.T) {
	was := build(t, inline("a", "b"), nil).Bundle
	other := inline("a", "c", "d")
	got := replay(t, was, &other, nil)
	require.Equal(t, map[string]int{"same": 1, "differs": 1, "added": 1}, got.Counts)
	require.Equal(t, "content_sha256", got.Sources[1].Differs[0].Field)
	require.Equal(t, "inline:2", got.Sources[2].EvidenceID)
	got = replay(t, was, &bundle.Request{}, nil)
	require.Equal(t, map[string]int{"missing": 2}, got.Counts)
}

// The whole text of what was cut is in the lake: without it the item cannot be built again, and another text differs.
func TestReplayReadsTheWholeOfWhatWasCut(t *testing.T) {
	req := inline(strings.Repeat("x", 30), "short")
	req.Policy = policy(func(p *bundle.Policy) { p.MaxItemBytes = 10 })
	made := build(t, req, nil)
	full := made.Writes[0].LakeURI
	require.True(t, replay(t, made.Bundle, nil, lake{full: strings.Repeat("x", 30)}).Equal)
	got := replay(t, made.Bundle, nil, lake{full: strings.Repeat("x", 31)})
	require.Equal(t, "differs", got.Sources[0].Outcome)
	got = replay(t, made.Bundle, nil, lake{})
	require.Equal(t, "missing", got.Sources[0].Outcome)
	require.Equal(t, "There is no such artifact.", got.Sources[0].Reason)
	require.Equal(t, "same", got.Sources[1].Outcome)
}

// A record that was changed by hand is not what its own hashes say.
func TestReplayChecksTheRecord(t *testing.T) {
	was := stored(t, build(t, inline("Leave is 15 days."), nil).Bundle)
	was.Items[0].Content = "Leave is 51 days."
	got := replay(t, was, nil, nil)
	require.False(t, got.RecordHolds)
	require.False(t, got.Equal)
	was = stored(t, build(t, inline("Leave is 15 days."), nil).Bundle)
	was.Policy.MaxItems--
	require.False(t, replay(t, was, nil, nil).RecordHolds)
}

// Other redaction rules than those of the record show as such.
func TestReplayWithOtherRedaction(t *testing.T) {
	req := request(t, `{"evidence_refs":{"lake_text":["l"]},"policy":{"enable_redaction":true}}`)
	l := lake{"l": "MRN12 a@example.com"}
	was := build(t, req, l).Bundle
	own, err := redact.New([]redact.Pattern{{Kind: "mrn", Expr: `MRN\d+`}})
	require.NoError(t, err)
	got, err := bundle.Replay(&was, nil, l.load, own)
	require.NoError(t, err)
	var fields []string
	for _, d := range got.Sources[0].Differs {
		fields = append(fields, d.Field)
	}
	require.Equal(t, []string{"byte_count", "content_sha256", "metadata.bounding", "metadata.redaction"}, fields)
}

func TestReplayErrors(t *testing.T) {
	was := build(t, request(t, `{"evidence_refs":{"lake_text":["l"]}}`), lake{"l": "x"}).Bundle
	_, err := bundle.Replay(&was, nil, func(string) ([]byte, error) { return nil, context.Canceled }, nil)
	require.ErrorIs(t, err, context.Canceled)
	was.BuildVersion = "3.0"
	_, err = bundle.Replay(&was, nil, nil, nil)
	require.Equal(t, domain.Invalid, domain.KindOf(err))
}
