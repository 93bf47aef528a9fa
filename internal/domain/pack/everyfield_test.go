package pack_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/everyfield"
)

// computed are the fields of a pack that Freeze always computes, and the one that is not part of pack.json.
var computed = map[string]string{
	"ContentRoot":            "the root of the leaves",
	"Blind":                  "made of the pack's secret",
	"EvidenceMapRoot":        "the root of the evidence ids",
	"Requirement.*":          "follows from the head",
	"Attachments[].Key":      "a key in the bucket of the store",
	"Policy.Class":           "follows from the head",
	"Policy.Rules[].Outcome": "follows from the claims",
	"Policy.Rules[].Objects": "follows from the claims",
	"Alarms":                 "follow from the tool calls and the claims",
}

// TestPackJSONCarriesEveryField fails if pack.json or its reader loses any field of a pack, including new ones.
func TestPackJSONCarriesEveryField(t *testing.T) {
	c := everyfield.Pack()
	require.Empty(t, everyfield.Unset(c), "the pack has every field")
	f := freeze(t, *c)
	read, err := pack.Parse(f.Bytes)
	require.NoError(t, err)
	require.Empty(t, everyfield.Faults(everyfield.Differ(c, read), computed))
	thawed, err := pack.LoadFrozen(f.Bytes, secret)
	require.NoError(t, err)
	require.Empty(t, everyfield.Differ(f, thawed))
}

// TestPackDigestsSeeEveryField: changing any field changes both the signed digest of pack.json and the content root
// that redacted copies and proofs are checked against.
func TestPackDigestsSeeEveryField(t *testing.T) {
	c := everyfield.Pack()
	was, digest, root := freeze(t, *c), map[string]bool{}, map[string]bool{}
	everyfield.EachChange(c, everyfield.PackValues(), func(path string) {
		f, err := pack.Freeze(*c, secret)
		if err != nil { // another format, or an invalid id
			digest[path], root[path] = true, true
			return
		}
		digest[path] = digest[path] || f.Digest != was.Digest
		root[path] = root[path] || f.Content.ContentRoot != was.Content.ContentRoot
	})
	require.Empty(t, everyfield.Faults(unseen(digest), blind))
	require.Empty(t, everyfield.Faults(unseen(root), blind))
}

// blind are the fields whose given value is in no digest, as Freeze recomputes them.
var blind = map[string]string{
	"Format":                                 "always the same",
	"ContentRoot":                            computed["ContentRoot"],
	"Blind":                                  computed["Blind"],
	"EvidenceMapRoot":                        computed["EvidenceMapRoot"],
	"Requirement.*":                          computed["Requirement.*"],
	"ToolCalls[].ContradictionFlag":          "follows from the two actions",
	"ToolCalls[].VerificationStatus":         "follows from what the caller said",
	"ToolCalls[].Departure.Result":           "follows from the two actions",
	"ToolCalls[].Departure.Words[].Intended": "follows from the two actions",
	"ToolCalls[].Departure.Words[].Actual":   "follows from the two actions",
	"Attachments[].Key":                      computed["Attachments[].Key"],
	"Policy.Class":                           computed["Policy.Class"],
	"Policy.Rules[].Outcome":                 computed["Policy.Rules[].Outcome"],
	"Policy.Rules[].Objects[]":               computed["Policy.Rules[].Objects"],
	"Alarms[].*":                             computed["Alarms"],
}

func unseen(seen map[string]bool) []string {
	var out []string
	for path, is := range seen {
		if !is {
			out = append(out, path)
		}
	}
	return out
}

// derived are the fields of a draft that are not copied from its decision.
var derived = map[string]string{
	"Evidence[].Quote.EvidenceID": "follows from the chunk root and the offsets",
	"ToolCalls[].Departure.*":     "follows from the two actions",
}

// TestDraftTakesOverTheDecision fails if Assemble loses a field of a decision, or Next one of the previous version.
func TestDraftTakesOverTheDecision(t *testing.T) {
	d := everyfield.Decision()
	require.Empty(t, d.Validate())
	require.Empty(t, everyfield.Unset(d), "the decision has every field")
	c := draftOf(d, nil)
	drafted := pack.Decision{Header: c.Header, Evidence: c.Sources, ToolCalls: c.ToolCalls, Prompts: c.Prompts,
		Replay: c.Replay, Memo: &c.Memo}
	require.Empty(t, everyfield.Faults(everyfield.Differ(d, &drafted), derived))

	old := everyfield.Pack()
	next := old.Next(id2, created)
	require.Empty(t, everyfield.Faults(everyfield.Differ(old, &next), notInherited))
}

// notInherited are the fields that a new version does not inherit from the previous one.
var notInherited = map[string]string{
	"PackID":      "its own",
	"Version":     "one more",
	"Supersedes":  "the one before",
	"CreatedAt":   "now",
	"RetainUntil": "seven years from now",
	"ContentRoot": "computed when it is submitted",
	"Policy":      "the tenant's, when it is submitted",
	"Alarms":      "computed when it is submitted",
}
