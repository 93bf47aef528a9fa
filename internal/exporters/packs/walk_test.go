package packs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/exporttest"
)

// walkWords has the value of each field with a closed list, by name or path, and the prefix of its message id; ""
// shows the value itself.
var walkWords = map[string][2]string{
	"ApprovalClass": {"A2", ""}, "ReversibilityClass": {"R1", ""}, "SensitivityClass": {"S1", ""},
	"EffectiveClass": {"A2", ""},
	"Level":          {"mandatory", "level_"}, "Kind": {"record", "kind_"},
	"VerificationStatus": {"unverified", "call_"},
	"ClaimType":          {"policy", "type_"}, "Importance": {"critical", "importance_"},
	"MachineVerdict": {"weak", "verdict_"}, "Verdict": {"supported", "verdict_"},
	"State": {"confirmed", "state_"}, "Action": {"override", "review_"}, "Flags": {"contradiction", "flag_name_"},
	"Role": {"reviewer", "role_"}, "MemoBy": {"agent", "memo_by_"},

	"content.Policy.Rules.Rule":    {"claims_checked", "policy.rule_"},
	"content.Policy.Rules.Level":   {"must", "policy.level_"},
	"content.Policy.Rules.Outcome": {"broken", "policy.outcome_"},
	"content.Alarms.Kind":          {"no_claim_checked", "alarm."},

	"approvals.Since.Kind":        {"claims_contradicted_since", ""},
	"approvals.Since.Objects.Was": {"supported", "verdict_"},
	"approvals.Since.Objects.Now": {"contradicted", "verdict_"},

	"content.Ledger.SetAside.Citations.Status":  {"elsewhere", "citation_status_"},
	"content.Ledger.SetAside.Quotations.Status": {"not_found", "quotation_"},

	"content.Ledger.Entries.Citations.Status":  {"elsewhere", "citation_status_"},
	"content.Ledger.Entries.Quotations.Status": {"not_found", "quotation_"},
}

// walker fills every field of a content, so that the tests find a new field that no document shows.
type walker struct {
	text   func(n int) string
	n      int
	values map[string]string // path → value
	words  map[string]string // path → message id
}

func (w *walker) fill(v reflect.Value, path string) {
	name := path[strings.LastIndexByte(path, '.')+1:]
	switch {
	case v.Type() == reflect.TypeOf(pack.Reason{}):
		v.Set(reflect.ValueOf(pack.ByReversibility))
	case v.Type() == reflect.TypeOf(json.RawMessage{}):
		w.n++
		raw, err := json.Marshal(map[string]string{w.text(w.n): w.text(w.n)})
		if err != nil {
			panic(err)
		}
		v.SetBytes(raw)
		w.values[path] = w.text(w.n)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		w.fill(v.Elem(), path)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		w.fill(v.Index(0), path)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Tag.Get("json") != "-" {
				w.fill(v.Field(i), path+"."+f.Name)
			}
		}
	default:
		w.value(v, path, name)
	}
}

func (w *walker) value(v reflect.Value, path, name string) {
	w.n++
	closed, is := walkWords[path]
	if !is {
		closed, is = walkWords[name]
	}
	switch {
	case v.Kind() == reflect.String && is:
		v.SetString(closed[0])
		if closed[1] == "" {
			w.values[path] = closed[0]
		} else {
			w.words[path] = closed[1] + closed[0]
		}
	case strings.HasSuffix(name, "At") || name == "RetainUntil":
		v.SetString("2026-11-18T10:20:00Z")
	case v.Kind() == reflect.String:
		v.SetString(w.text(w.n))
		w.values[path] = v.String()
	case v.CanInt():
		v.SetInt(int64(7000 + w.n))
		w.values[path] = fmt.Sprint(7000 + w.n)
	case v.CanFloat():
		v.SetFloat(float64(7000+w.n) / 1e4)
		w.values[path] = fmt.Sprintf("%d%%", int(math.Round(float64(7000+w.n)/100))) // whole percents are shown
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	default:
		panic("no value for " + path)
	}
}

// filled returns a document with a value in every field.
func filled(text func(n int) string) (*Document, *walker) {
	w := walker{text: text, values: map[string]string{}, words: map[string]string{}}
	d := &Document{Tenant: w.text(0), Life: pack.Life{State: pack.SignedOff, Need: 1},
		Digest: strings.Repeat("cd", 32), JSON: []byte("{}")}
	w.fill(reflect.ValueOf(&d.Content).Elem(), "content")
	w.fill(reflect.ValueOf(&d.Life.Approvals).Elem(), "approvals")
	w.fill(reflect.ValueOf(&d.Life.Return).Elem(), "return")
	days := (*d.Content.FreshnessWindowHours + 12) / 24 // hours are shown as days
	w.values["content.Header.FreshnessWindowHours"] = fmt.Sprint(days)
	delete(w.values, "approvals.LogIndex") // not known when the file is made
	delete(w.values, "approvals.Actor")    // the name is shown instead
	delete(w.values, "approvals.For.Actor")
	delete(w.values, "approvals.For.LogIndex") // of the log, as in the Statement
	delete(w.values, "return.Actor")
	w.tellAlarms(d)
	return d, &w
}

// tellAlarms makes the pack's alarm one of its claim, which the approver acknowledged, and expects in place of the ids
// in it the sentences that tell them.
func (w *walker) tellAlarms(d *Document) {
	entry, call := &d.Content.Ledger.Entries[0], &d.Content.ToolCalls[0]
	entry.Number = 77 // as wide as in a real table
	w.values["content.Ledger.Entries.Number"] = "C77"
	d.Content.Alarms[0].Claims = []string{entry.ClaimID}
	d.Life.Approvals[0].Acknowledged = append(d.Life.Approvals[0].Acknowledged, d.Content.Alarms[0].ID)
	d.Life.Approvals[0].Acknowledged = append(d.Life.Approvals[0].Acknowledged, d.Life.Approvals[0].Since[0].ID)
	call.Departure.Result, call.Departure.Decided.Result = judge.ActionUnclear, judge.ActionDiffers
	w.words["content.ToolCalls.Departure.Result"] = "departure_unclear"
	aside := &d.Content.Ledger.SetAside[0]
	aside.Number = 78
	w.values["content.Ledger.SetAside.Number"] = "C78"
	for _, e := range []*pack.Entry{entry, aside} {
		e.FigureSource, e.Tier = ledger.Calibrated, ledger.Likely
	}
	for _, list := range []string{"content.Ledger.Entries.", "content.Ledger.SetAside."} {
		w.words[list+"Reviews.Bulk"], w.words[list+"Reviews.Stale"] = "in_bulk", "said_before"
		w.words[list+"Reviews.Undone"] = "review_undone_mark"
		w.words[list+"FigureSource"], w.words[list+"Tier"] = "probability", "tier_likely"
		// the confidence is printed nowhere: Figure is the one figure (rule L-28)
		for _, field := range []string{"FigureSource", "Tier", "Confidence", "Reviews.Bulk"} {
			delete(w.values, list+field)
		}
	}
	for _, path := range []string{"content.Alarms.ID", "content.Alarms.Object", "content.Alarms.Claims",
		"content.ToolCalls.Departure.Result", "content.ToolCalls.Departure.Decided.Result", "approvals.Since.ID",
		"approvals.Since.Kind"} {
		delete(w.values, path)
	}
	d.Content.StatementEN = "" // a decision has one translation
	delete(w.values, "content.Header.StatementEN")
}

func sentinel(n int) string { return fmt.Sprintf("zq%dx", n) }

// otherLanguage reports whether a path is in the memo or statement of the language that is not the part's.
func otherLanguage(path, code string) bool {
	switch path {
	case "content.Header.Statement": // in English
		return code == "ar"
	case "content.Header.StatementAR":
		return code == "en"
	}
	return strings.HasPrefix(path, "content.Memo.") && !strings.HasSuffix(path, strings.ToUpper(code))
}

// TestPackMarkdownComplete checks that both parts of a pack's Markdown contain every value of the pack.
func TestPackMarkdownComplete(t *testing.T) {
	d, w := filled(sentinel)
	var b bytes.Buffer
	require.NoError(t, Markdown(&b, d))
	parts := strings.SplitN(strings.ReplaceAll(b.String(), `\`, ""), "<div", 2)
	require.Greater(t, len(w.values), 50)
	for i, part := range parts {
		for path, value := range w.values {
			if !otherLanguage(path, languages[i].Code) {
				require.Contains(t, part, value, "%s %s", languages[i].Code, path)
			}
		}
		for path, id := range w.words {
			word := languages[i].T(id)
			require.NotEqual(t, id, word)
			require.Contains(t, part, word, "%s %s", languages[i].Code, path)
		}
		for _, id := range []string{"high_stakes", "contradiction_is", "call_failed"} {
			require.Contains(t, part, languages[i].T(id))
		}
		require.Contains(t, part, strings.ReplaceAll(languages[i].instant("2026-11-18T10:20:00Z"), "\u00a0", " "))
		require.Contains(t, part, d.Digest)
		require.Contains(t, part, d.Tenant)
	}
}

// onlyInMarkdown are the values that the PDF omits; the Markdown and the attached pack.json have them.
var onlyInMarkdown = map[string]bool{
	"content.Ledger.Entries.ClaimID": true, "content.Ledger.Entries.ChunkHash": true,
	"content.Attachments.MediaType": true, "approvals.Digest": true,
	"content.Ledger.Entries.Reviews.By": true, "content.Ledger.Entries.Reviews.LogIndex": true,
	"content.ToolCalls.ID": true,
}

// inPDF reports whether the PDF has a value: of a claim set aside it has the words, and what people said of it.
func inPDF(path string) bool {
	of, aside := strings.CutPrefix(path, "content.Ledger.SetAside.")
	return !onlyInMarkdown[strings.Replace(path, "SetAside", "Entries", 1)] &&
		(!aside || of == "Number" || of == "ClaimText" || strings.HasPrefix(of, "Reviews."))
}

// TestPackPDFComplete checks that both parts of the PDF contain the values.
func TestPackPDFComplete(t *testing.T) {
	d, w := filled(sentinel)
	for i := range languages {
		d.Language = languages[i].Code
		var b bytes.Buffer
		require.NoError(t, PDF(&b, d))
		file := filepath.Join(t.TempDir(), "pack.pdf")
		require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
		part := exporttest.Letters(strings.Join(pagesText(t, file), ""))
		for path, value := range w.values {
			if !otherLanguage(path, languages[i].Code) && inPDF(path) {
				require.Contains(t, part, exporttest.Letters(value), "%s %s", languages[i].Code, path)
			}
		}
		for path, id := range w.words {
			if word := languages[i].T(id); path != "content.Ledger.Entries.State" && path != "content.Ledger.SetAside.State" {
				require.Contains(t, part, exporttest.Letters(word), "%s %s", languages[i].Code, path)
			}
		}
	}
}

// pagesText returns the text of each page.
func pagesText(t testing.TB, file string) []string {
	t.Helper()
	return strings.Split(exporttest.Tool(t, "pdftotext", file, "-"), "\f")
}
