package importers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/everyfield"
	"sanad/internal/exporters/packs"
	"sanad/internal/packfiles"
)

// notExported are the fields of a session that an exported ledger does not contain, each with the reason.
var notExported = map[string]string{
	"Digest":                  "computed from the content by every import; compared below",
	"ID":                      "made by the store that the ledger is imported into",
	"LedgerID":                "likewise",
	"Documents[].ID":          "likewise",
	"Documents[].Chunks[].ID": "likewise",
	"Claims[].ID":             "likewise",
	"Claims[].Replaces":       "a step of reviewers, whose word settles nothing where it is imported",
	"Documents[].Blob":        "a key in the bucket of the store; the original is not exported",
	"Documents[].BlobSHA256":  "a key in the bucket of the store; the original is not exported",
	"Documents[].Library.ID":  "a link within one store; where it leads stands in Origin",
	"Documents[].Library.No":  "likewise",
	"Revision":                "counts the changes in one store; the importer starts again at 0",
	"SealedBy":                "counted by the store",
	"CreatedAt":               "the time of the import",
	"UpdatedAt":               "the time of the newest change; exported as generated_at, and set by the importer",
	"BundleID":                "links a run to a bundle of one store",
	"Second":                  "how a session is reviewed is decided where it is reviewed",
	"Seats[].ID":              "users of one store",
	"Seats[].Name":            "likewise",
	"Imports[].By":            "likewise; the shown name is exported",
	"Imports[].Store":         "what another store trusts is a claim of the file",
	"Imports[].Key":           "likewise",
	"Run.*":                   "the file's judgement stands in Imports and Imported, see TestImportedReviewsStandApart",
	"RuleSet":                 "likewise",
	"Claims[].Judge":          "likewise",
	"Claims[].Given":          "likewise",
	"Claims[].Unjudged":       "likewise",
	"Claims[].UnjudgedSaid.*": "likewise",
	"Claims[].Matches":        "likewise",
	"Claims[].Citations":      "resolved again, by the store that the ledger is imported into",
	"Claims[].Checks.*":       "checked again likewise",
	"Claims[].Reviews":        "stand in Imported",
	"Claims[].Stale":          "likewise",
	"Claims[].Withheld":       "likewise",
	"FirstLedger":             "likewise",
	"Closing.*":               "belongs to the review, which starts anew",
	"Follows.SessionID":       "says what the store checks when it stores a revised answer",
	"Follows.Revision":        "likewise",
}

// TestExportCarriesEveryField checks that export and import lose no field of a session, including new ones.
func TestExportCarriesEveryField(t *testing.T) {
	s := everyfield.Session()
	require.Empty(t, everyfield.Unset(s), "the session has every field")
	r, err := Read(exported(t, s), Options{})
	require.NoError(t, err)
	require.Equal(t, Digest(s), r.Session.Digest)
	n := len(s.Imports)
	r.Session.Imports = r.Session.Imports[:n] // the newest is of this import
	for i := range r.Session.Claims {
		r.Session.Claims[i].Imported = r.Session.Claims[i].Imported[:n]
	}
	require.Empty(t, everyfield.Faults(everyfield.Differ(s, &r.Session), notExported))
}

// notInImported are the fields of a review that an imported one lacks.
var notInImported = []string{"ID", "By", "Into"} // made by one store, or of its claims

// TestImportedReviewsStandApart checks that an exported ledger's judgement and reviews are read into what the file
// said, each with every field, and that none of them is left where ours stand.
func TestImportedReviewsStandApart(t *testing.T) {
	s := everyfield.Session()
	was := ledger.Assess(s, ledger.DefaultFreshness)
	r, err := Read(exported(t, s), Options{})
	require.NoError(t, err)
	x := r.Session.Imports[len(r.Session.Imports)-1]
	require.Equal(t, ledger.Import{Judge: s.Run.Judge, Version: s.Run.Version, JudgedAt: s.Run.At}, x)
	for i := range s.Claims {
		c := &r.Session.Claims[i]
		require.Empty(t, c.Reviews)
		require.Empty(t, c.Matches)
		said := c.Imported[len(c.Imported)-1]
		e := was.Entries[i]
		require.Equal(t, []any{e.Claim.Judge, e.Machine, e.Verdict, e.Confidence, e.Claim.Stale},
			[]any{said.Judge, said.Machine, said.Verdict, said.Confidence, said.Stale})
		require.Len(t, said.Passages, len(s.Claims[i].Matches), "each has Attached")
		for j, m := range s.Claims[i].Matches {
			require.Equal(t, ledger.ImportedPassage{Actor: m.Attached.Actor, At: m.Attached.At, Document: m.Chunk.Document,
				Chunk: m.Chunk.Chunk, Start: m.Quote.Span.Start, End: m.Quote.Span.End}, said.Passages[j])
		}
		require.Len(t, said.Reviews, len(s.Claims[i].Reviews))
		for j := range said.Reviews {
			ours, theirs := reflect.ValueOf(s.Claims[i].Reviews[j]), reflect.ValueOf(said.Reviews[j])
			for k := range ours.NumField() {
				if name := ours.Type().Field(k).Name; !slices.Contains(notInImported, name) {
					require.Equal(t, ours.Field(k).Interface(), theirs.FieldByName(name).Interface(), name)
				}
			}
		}
	}
}

// Claims are named by their numbers; another number is refused with its place, whatever else is in the file.
func TestClaimNumbersAreOfTheFile(t *testing.T) {
	for place, set := range map[string]func(*ledger.Claim, int){
		"sanad.claims[0].replaces[0]":               func(c *ledger.Claim, at int) { c.Replaces[0] = at },
		"sanad.claims[0].reviews[0].replaced_by[0]": func(c *ledger.Claim, at int) { c.Reviews[0].Into[0] = at },
	} {
		for _, at := range []int{-1, 2, 1 << 40} {
			s := everyfield.Session()
			set(&s.Claims[0], at)
			_, err := Read(exported(t, s), Options{})
			require.ErrorContains(t, err, fmt.Sprintf("%s: %d is not the number of a claim of this file; claims count from 1 to 2",
				place, at+1))
		}
	}
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
	"Documents[].BlobSHA256":           "likewise",
	"Documents[].Library.ID":           "where the file was taken from is no part of what it says",
	"Documents[].Library.No":           "likewise",
	"Documents[].Origin.*":             "likewise",
	"Claims[].ID":                      "likewise",
	"Claims[].Replaces[]":              "likewise",
	"Revision":                         "likewise",
	"CreatedAt":                        "likewise",
	"UpdatedAt":                        "likewise",
	"Digest":                           "it is the digest",
	"Format":                           "the same content in another format is the same content",
	"BundleID":                         "belongs to the first run, not to the content",
	"AnswerVersion":                    "a revised answer is another content",
	"FirstLedger":                      "made by the store",
	"Follows.*":                        "says what the store checks",
	"Documents[].BundleID":             "judging",
	"Claims[].Since":                   "follows from the version before",
	"Claims[].Matches[].Attached.*":    "reviewing",
	"Run.*":                            "judging",
	"Second":                           "reviewing",
	"SealedBy{}":                       "reviewing",
	"RuleSet":                          "judging",
	"Seats[].*":                        "reviewing",
	"Closing.*":                        "reviewing",
	"Imports[].*":                      "from which file it came",
	"Claims[].Imported[].*":            "what that file said of it",
	"Claims[].Reviews[].*":             "reviewing",
	"Claims[].Stale":                   "reviewing",
	"Claims[].Withheld":                "reviewing",
	"Claims[].Judge":                   "judging",
	"Claims[].Unjudged":                "judging",
	"Claims[].UnjudgedSaid.*":          "judging",
	"Claims[].Citations[].*":           "resolved by the store, from the answer and the chunks",
	"Claims[].Checks.*":                "found by judging, from the answer, the matches and the chunks",
	"Claims[].Matches[].Quote.*":       "found by judging, from the snippet and the chunk",
	"Claims[].Matches[].Note":          "judging: a given match has none",
	"Claims[].Matches[].NoteSaid.*":    "judging: a given match has none",
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
	require.Equal(t, was, Digest(s), "a change was not undone")
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
	for i := range d.ToolCalls { // found here, whatever the caller sends
		d.ToolCalls[i].Departure, d.ToolCalls[i].Caller = nil, nil
	}
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
	require.NoError(t, packs.JSON(&file, f.Bytes, []byte(`{"payload":"","payloadType":"","signatures":[]}`)))
	read, err := packfiles.Read(file.Bytes())
	require.NoError(t, err)
	c, err := pack.Parse(read.Files.Pack)
	require.NoError(t, err)
	require.Empty(t, everyfield.Differ(&f.Content, c))
}
