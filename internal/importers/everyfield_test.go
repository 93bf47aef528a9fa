package importers

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/everyfield"
	"sanad/internal/exporters"
)

// notExported are the fields of a session that an exported ledger does not contain, each with the reason.
var notExported = map[string]string{
	"Digest":                   "computed from the content by every import; compared below",
	"ID":                       "made by the store that the ledger is imported into",
	"LedgerID":                 "likewise",
	"Run.ID":                   "likewise",
	"Documents[].ID":           "likewise",
	"Documents[].Chunks[].ID":  "likewise",
	"Claims[].ID":              "likewise",
	"Claims[].Reviews[].ID":    "likewise",
	"Documents[].Blob":         "a key in the bucket of the store; the original is not exported",
	"Revision":                 "counts the changes in one store; the importer begins anew",
	"CreatedAt":                "the time of the import",
	"UpdatedAt":                "the time of the newest change; exported as generated_at, and set anew by the importer",
	"Run.Duration":             "for operators of the store that judged",
	"BundleID":                 "links a run to a bundle of one store",
	"Second":                   "how a session is reviewed is decided where it is reviewed",
	"Seats[].ID":               "users of one store",
	"Seats[].Name":             "likewise",
	"Claims[].Reviews[].By":    "likewise; the shown name is exported",
	"Claims[].Reviews[].Batch": "id of a step in one store, by which it is taken back there",
}

// TestExportCarriesEveryField checks that export and import lose no field of a session, including new ones.
func TestExportCarriesEveryField(t *testing.T) {
	s := everyfield.Session()
	require.Empty(t, everyfield.Unset(s), "the session has every field")
	r, err := Read(exported(t, s), Options{})
	require.NoError(t, err)
	require.Empty(t, everyfield.Faults(everyfield.Differ(s, &r.Session), notExported))
	require.Equal(t, Digest(s), Digest(&r.Session))
}

// notInDigest are the fields of a session that its content digest does not cover, each with the reason. The digest
// covers what was imported, so that the same content is the same session, however it was judged and reviewed since. A
// path that ends in "*" stands for all fields below it.
var notInDigest = map[string]string{
	"ID":                               "made by the store",
	"LedgerID":                         "likewise",
	"Documents[].ID":                   "likewise",
	"Documents[].Chunks[].ID":          "likewise",
	"Documents[].Blob":                 "likewise",
	"Claims[].ID":                      "likewise",
	"Revision":                         "likewise",
	"CreatedAt":                        "likewise",
	"UpdatedAt":                        "likewise",
	"Digest":                           "it is the digest",
	"Format":                           "the same content in another format is the same content",
	"BundleID":                         "belongs to the first run, not to the content",
	"Run.*":                            "judging",
	"Second":                           "reviewing",
	"RuleSet":                          "judging",
	"Seats[].*":                        "reviewing",
	"Claims[].Reviews[].*":             "reviewing",
	"Claims[].Stale":                   "reviewing",
	"Claims[].Withheld":                "reviewing",
	"Claims[].Judge":                   "judging",
	"Claims[].Unjudged":                "judging",
	"Claims[].Citations[].*":           "resolved by the store, from the answer and the chunks",
	"Claims[].Checks.*":                "found by judging, from the answer, the matches and the chunks",
	"Claims[].Matches[].Quote.*":       "found by judging, from the snippet and the chunk",
	"Claims[].Matches[].Note":          "judging: a given match has none",
	"Claims[].Matches[].Missing[]":     "judging: a given match has none",
	"Claims[].Matches[].Features[].*":  "judging: a given match has none",
	"Claims[].Matches[].Conflicts[].*": "judging: a given match has none",
	"Claims[].Position":                "the order of the list, which is hashed in order",
	"Documents[].Chunks[].Hash":        "follows from the text",
	"Documents[].Chunks[].Root":        "follows from the text",
	"Documents[].Root":                 "follows from the chunks",
	"Documents[].MediaType":            "of the original, which is not part of the content",
	"Documents[].TextBy":               "likewise",
	"Documents[].Status":               "changes after the import",
	"Documents[].Withdrawn":            "changes after the import",
}

// TestDigestSeesEveryField checks that changing any field of the content changes the content digest.
func TestDigestSeesEveryField(t *testing.T) {
	s := everyfield.Session()
	was, seen := Digest(s), map[string]bool{}
	everyfield.EachChange(s, everyfield.SessionValues(), func(path string) {
		seen[path] = seen[path] || Digest(s) != was
	})
	require.Equal(t, was, Digest(s), "every change was taken back")
	var blind []string
	for path, is := range seen {
		if !is {
			blind = append(blind, path)
		}
	}
	require.Empty(t, everyfield.Faults(blind, notInDigest))
}

// TestDecisionCarriesEveryField checks that reading a decision loses no field.
func TestDecisionCarriesEveryField(t *testing.T) {
	d := everyfield.Decision()
	data, err := json.Marshal(d)
	require.NoError(t, err)
	read, warnings, err := ReadDecision(data)
	require.NoError(t, err)
	require.Empty(t, warnings)
	require.Empty(t, everyfield.Differ(d, read))
}

// TestPackExportCarriesEveryField checks that an exported pack, read again, is the same pack.
func TestPackExportCarriesEveryField(t *testing.T) {
	f, err := pack.Freeze(*everyfield.Pack(), []byte("secret of the pack"))
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, exporters.PackJSON(&file, f.Bytes, []byte(`{"payload":"","payloadType":"","signatures":[]}`)))
	read, err := ReadPack(file.Bytes())
	require.NoError(t, err)
	c, err := pack.Parse(read.Files.Pack)
	require.NoError(t, err)
	require.Empty(t, everyfield.Differ(&f.Content, c))
}
