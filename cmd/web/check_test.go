package main

import (
	"encoding/xml"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/sariftest"
	"sanad/internal/importers"
)

// TestCheckReports holds the three reports of one file to their goldens: English and Arabic, a pass, faults of claims
// and of an answer. go test ./cmd/web -run TestCheckReports -update writes them.
func TestCheckReports(t *testing.T) {
	const folder = "testdata/check"
	for format, golden := range map[string]string{"text": "answers.txt", "junit": "answers.xml", "sarif": "answers.sarif"} {
		t.Run(format, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(folder, "answers.jsonl"))
			require.NoError(t, err)
			t.Chdir(t.TempDir()) // the reports name the file as it was given
			require.NoError(t, os.WriteFile("answers.jsonl", data, 0o600))
			args := []string{"check", "--fail-on", "contradicted,not_found", "--min-coverage", "0.5", "--format", format}
			code, got, errs := call(t, "", append(args, "answers.jsonl")...)
			require.Equal(t, exitFailed, code, errs)
			code, summary, errs := call(t, "", append(args, "answers.jsonl", "-o", "report")...)
			require.Equal(t, exitFailed, code)
			require.Empty(t, summary)
			require.Contains(t, errs, "check: failed: answers 4, failing 3;")
			file, err := os.ReadFile("report")
			require.NoError(t, err)
			require.Equal(t, got, string(file), "the same bytes each time")
			if format == "sarif" {
				sariftest.Valid(t, file)
			}
			name := filepath.Join(sourceFolder, folder, golden)
			if *update {
				require.NoError(t, os.WriteFile(name, file, 0o644))
			}
			want, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// sourceFolder is the folder of this package, whatever a test changes to.
var sourceFolder, _ = os.Getwd()

// answering is a session of our own format with an answer and a source.
func answering(answer, source string) string {
	return `{"format":"sanad.session/v1","session":{"query":"q","answer":"` + answer +
		`"},"documents":[{"filename":"a.txt","text":"` + source + `"}]}`
}

// TestCheckAddressesOfRows: an address in a report is where the answer stands in its row.
func TestCheckAddressesOfRows(t *testing.T) {
	bad := answering("Leave is 20 days.", "Leave is 15 days.")
	for in, at := range map[string]string{
		bad + "\n" + bad:            "/1/session/answer",
		"[" + bad + "," + bad + "]": "/1/session/answer",
		bad:                         "/session/answer",
		`{"user_input":"q","retrieved_contexts":["Leave is 15 days."],"response":"Leave is 20 days."}`: "/answer",
	} {
		code, got, errs := call(t, in, "check", "--format", "sarif", "--min-coverage", "1", "-")
		require.Equal(t, exitFailed, code, errs)
		sariftest.Valid(t, []byte(got))
		require.Contains(t, got, `"uri": "`+at+`"`, in)
	}
	parking := answering("Parking costs forty riyals.", "Leave is 15 days.")
	_, got, _ := call(t, parking+"\n"+bad, "check", "--format", "sarif", "--min-coverage", "1", "-")
	require.Contains(t, got, `"fullyQualifiedName": "[0].session.answer"`)
}

// TestCheckWarns of what an import would warn of too, so that a misspelt field is not taken for missing evidence.
func TestCheckWarns(t *testing.T) {
	code, _, errs := call(t, `{"format":"sanad.session/v1","session":{"answer":"Leave is 16 days."},"document":[]}`, "check", "-")
	require.Equal(t, exitOK, code)
	require.Contains(t, errs, "stdin: warning: document: This field is not part of the format")
	require.Contains(t, errs, "stdin: warning: documents: There are no documents")
	rows := strings.Repeat(`{"user_input":"q","retrieved_context":["Leave is 15 days."],"response":"Leave is 20 days."}`+"\n", mostWarned+1)
	_, _, errs = call(t, rows, "check", "-")
	require.Contains(t, errs, "stdin[1]: warning: ")
	require.Contains(t, errs, "there are more; sanad import prints all")
	require.Equal(t, mostWarned+1, strings.Count(errs, "warning:"))
}

// TestCheckOfPlainText says what a file must hold, with an example that check reads, and where a plain text is taken.
func TestCheckOfPlainText(t *testing.T) {
	code, _, errs := call(t, "Leave is 20 days.\n", "check", "-")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errs, "Line 1, column 1: 'L' is not allowed here; a value is expected.")
	require.Contains(t, errs, "this is not JSON. check reads an answer with its sources as JSON, such as {")
	require.Contains(t, errs, `see docs/check.md. The page "New session" of sanad serve and sanad demo takes a plain answer`)
	example := checkReads[strings.Index(checkReads, "{") : strings.Index(checkReads, "}")+1]
	code, _, errs = call(t, example, "check", "-")
	require.NotEqual(t, exitUsage, code, errs)
	require.NotContains(t, errs, "warning")
	for _, broken := range []string{`{"user_input":`, "\ufeff\n[", example + "\nLeave is 20 days."} {
		_, _, errs = call(t, broken, "check", "-")
		require.NotContains(t, errs, "this is not JSON", broken)
	}
}

// TestCheckExitCodes says what passes, what does not, and what is no answer.
func TestCheckExitCodes(t *testing.T) {
	good, bad := answering("Leave is 15 days.", "Leave is 15 days."), answering("Leave is 20 days.", "Leave is 15 days.")
	foreign := answering("Сотрудники имеют право на отпуск.", "Leave is 15 days.")
	cases := []struct {
		name, in string
		args     []string
		code     int
		says     string // on standard output or error
	}{
		{name: "good", in: good, code: exitOK, says: "check: passed: answers 1, failing 0; claims 1, failing 0"},
		{name: "contradicted", in: bad, code: exitFailed, says: "stdin q: claim 1 (code points 0–16 of the answer)"},
		{name: "nothing is asked", in: bad, args: []string{"--fail-on", "none"}, code: exitOK, says: "check: passed"},
		{
			name: "another fault is asked", in: bad, args: []string{"--fail-on", "not_found,miscitation"}, code: exitOK,
			says: "check: passed",
		},
		{
			name: "by its flag", in: bad, args: []string{"--fail-on", "contradiction"}, code: exitFailed,
			says: "contradiction: ",
		},
		{name: "one of several", in: good + "\n" + bad, code: exitFailed, says: "stdin[1] q (line 2): claim 1"},
		{name: "a list", in: "[" + good + "," + bad + "]", code: exitFailed, says: "stdin[1] q (line 1): claim 1"},
		{name: "not judged", in: foreign, code: exitFailed, says: "unjudged: "},
		{
			name: "not judged, allowed", in: foreign, args: []string{"--allow-unjudged"}, code: exitOK,
			says: "check: passed",
		},
		{
			name: "coverage", args: []string{"--min-coverage", "0.9"}, code: exitFailed,
			in:   answering("Leave is 15 days. Parking at the airport costs forty riyals.", "Leave is 15 days."),
			says: "answer: low_coverage: evidence_coverage is 0.500, below 0.9: 1 of 2",
		},
		{
			name: "unknown fault", in: good, args: []string{"--fail-on", "contradicted,rumour"}, code: exitUsage,
			says: `--fail-on: "rumour" is not a verdict, risk flag or citation status to fail on; these are: weak, contradicted,`,
		},
		{
			name: "no fault", in: bad, args: []string{"--fail-on", ""}, code: exitUsage,
			says: "--fail-on: there is no fault; give none",
		},
		{
			name: "spaces", in: bad, args: []string{"--fail-on", " weak , contradicted "}, code: exitFailed,
			says: "contradicted: ",
		},
		{
			name: "not found passes by default", code: exitOK,
			in:   answering("Leave is 15 days. Parking at the airport costs forty riyals.", "Leave is 15 days."),
			says: "claims 2, failing 0; passing claims: supported 1, not_found 1",
		},
		{
			name: "verdicts in JUnit", code: exitOK, args: []string{"--format", "junit"},
			in:   answering("Parking at the airport costs forty riyals.", "Leave is 15 days."),
			says: "<system-out>verdict: not_found</system-out>",
		},
		{
			name: "no coverage", in: good, args: []string{"--min-coverage", "2"}, code: exitUsage,
			says: "--min-coverage: 2 is not between 0 and 1.",
		},
		{
			name: "unknown format", in: good, args: []string{"--format", "html"}, code: exitUsage,
			says: `--format: "html" is not text, junit or sarif`,
		},
		{name: "broken JSON", in: `{"format":"sanad.session/v1","session":`, code: exitUsage, says: "session: "},
		{name: "no session", in: `{"a":1}`, code: exitUsage, says: "sanad.session/v1"},
		{name: "empty", code: exitUsage, says: "The input is empty"},
		{
			name: "a broken row", code: exitUsage,
			in:   good + "\n" + `{"format":"sanad.session/v1","session":{"answer":3}}` + "\n" + bad,
			says: "[1].session.answer",
		},
		{
			name: "a line of broken JSON", code: exitUsage, in: good + "\n" + bad[:60] + "\n" + bad,
			says: "-: [1].session.answer: Line 2, column 61: The input ends here",
		},
		{name: "to no folder", in: good, args: []string{"-o", "no/such/folder"}, code: exitUsage, says: "no/such"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := call(t, c.in, append([]string{"check", "-"}, c.args...)...)
			require.Equal(t, c.code, code, "%s%s", out, errs)
			require.Contains(t, out+errs, c.says)
		})
	}
	code, _, errs := call(t, "", "check", filepath.Join(t.TempDir(), "none.json"))
	require.Equal(t, exitUsage, code)
	require.Contains(t, errs, "none.json")
}

// A line of broken JSON hides no other line, and stands in the reports at its own.
func TestCheckOfBrokenLines(t *testing.T) {
	bad := answering("Leave is 20 days.", "Leave is 15 days.")
	in := bad + "\n\n" + bad[:60] + "\n" + bad + "\n" + bad[:9]
	for format, says := range map[string][]string{
		"text": {"check: not read: answers 2, failing 2; claims 2, failing 2", "; not read 2"},
		"junit": {
			`<testcase name="read" classname="stdin[1]" file="stdin" line="3">`,
			`<testcase name="read" classname="stdin[3]" file="stdin" line="5">`, `classname="stdin[2]" file="stdin" line="4">`,
		},
		"sarif": {`"startLine": 3`, `"startLine": 4`, `"startLine": 5`},
	} {
		code, out, errs := call(t, in, "check", "-", "--format", format)
		require.Equal(t, exitUsage, code)
		require.Contains(t, errs, "Line 3, column 61: ")
		require.Contains(t, errs, "Line 5, column 10: ")
		for _, s := range says {
			require.Contains(t, out, s)
		}
	}
}

// A row that cannot be read does not hide the others, and stands in the reports.
func TestCheckReportsWhatItCouldNotRead(t *testing.T) {
	in := `{"format":"sanad.session/v1","session":{"answer":3}}` + "\n" + answering("Leave is 20 days.", "Leave is 15 days.")
	for format, says := range map[string]string{
		"text": "check: not read: answers 1, failing 1; claims 1, failing 1; not read 1", "junit": `type="unreadable"`,
		"sarif": `"executionSuccessful": false`,
	} {
		code, out, errs := call(t, in, "check", "-", "--format", format)
		require.Equal(t, exitUsage, code)
		require.Contains(t, errs, "[0].session.answer")
		require.Contains(t, out, says)
		require.Contains(t, out, "contradicted")
	}
}

func TestCheckOfAnAnswerWithoutClaims(t *testing.T) {
	in := strings.TrimSuffix(answering("Leave is 15 days.", "Leave is 15 days."), "}") + `,"claims":[]}`
	code, out, _ := call(t, in, "check", "-")
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, "answer: no_claims: ")
	code, _, _ = call(t, in, "check", "-", "--allow-empty", "--min-coverage", "1")
	require.Equal(t, exitOK, code)
	for _, answer := range []string{"", "Hello!", "I do not know."} {
		row := `{"user_input":"q","retrieved_contexts":["Leave is 15 days."],"response":"` + answer + `"}`
		for _, in := range []string{answering(answer, "Leave is 15 days."), row} {
			code, out, errs := call(t, in, "check", "-")
			require.Equal(t, exitFailed, code, "%s: %s", in, errs)
			require.Contains(t, out, "answer: no_claims: ")
			code, _, errs = call(t, in, "check", "-", "--allow-empty")
			require.Equal(t, exitOK, code, errs)
		}
	}
}

// A file over the limit of an import is refused before it is read.
func TestCheckOfTooLargeAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "huge.jsonl")
	require.NoError(t, os.WriteFile(name, nil, 0o600))
	require.NoError(t, os.Truncate(name, importers.MaxBytes+1))
	code, _, errs := call(t, "", "check", name)
	require.Equal(t, exitUsage, code)
	require.Contains(t, errs, "134,217,728")
}

// Every sample of a provider's file is checked, and its JUnit report can be read.
func TestCheckReadsEveryFormat(t *testing.T) {
	const samples = "../../internal/importers/testdata"
	formats := map[string]bool{}
	err := filepath.WalkDir(samples, func(path string, d fs.DirEntry, err error) error {
		format := strings.Split(filepath.ToSlash(strings.TrimPrefix(path, samples+"/")), "/")[0]
		if err != nil || d.IsDir() || formats[format] || !strings.HasPrefix(filepath.Ext(path), ".json") {
			return err
		}
		code, out, _ := call(t, "", "check", path, "--format", "junit")
		if code == exitUsage { // a sample of what is refused
			return nil
		}
		formats[format] = true
		return xml.Unmarshal([]byte(out), &struct{ XMLName xml.Name }{})
	})
	require.NoError(t, err)
	require.Greater(t, len(formats), 15)
	exported := demoFile(t, "leave-policy.json")
	code, out, errs := call(t, "", "check", exported, "--fail-on", strings.Join(faultNames(ledger.Faults), ","))
	require.Equal(t, exitFailed, code, errs)
	require.Contains(t, out, exported+" demo-leave-policy: claim ")
}

// TestCheckCountsWhatIsNoClaim: greetings, questions and what only announces the rest are counted apart from the claims.
func TestCheckCountsWhatIsNoClaim(t *testing.T) {
	in := answering("Hello! Here is what I found: Leave is 15 days. Do you need more? مع تحياتي.", "Leave is 15 days.")
	for format, want := range map[string]string{
		"text":  "claims 1, failing 0; passing claims: supported 1; sentences that are no claims 3\n",
		"junit": `<property name="sentences_that_are_no_claims" value="3">`,
		"sarif": `"sentences_that_are_no_claims": "3"`,
	} {
		_, got, errs := call(t, in, "check", "--format", format, "-")
		require.Contains(t, got, want, errs)
	}
	_, got, _ := call(t, answering("Leave is 15 days.", "Leave is 15 days."), "check", "-")
	require.NotContains(t, got, "no claims")
}

// TestCheckNamesTheFileFromHere: who reads a report on another machine finds the file by its place in the folder.
func TestCheckNamesTheFileFromHere(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("my answers.json", []byte(answering("Leave is 20 days.", "Leave is 15 days.")), 0o600))
	_, got, errs := call(t, "", "check", "--format", "sarif", filepath.Join(here, "my answers.json"))
	require.Contains(t, got, `"uri": "my%20answers.json"`, errs)
	require.NotContains(t, got, "file:")
	sariftest.Valid(t, []byte(got))
}

// TestCheckCountsNoSentencesOfGivenClaims: where the file says what the claims are, our own splitter has no word.
func TestCheckCountsNoSentencesOfGivenClaims(t *testing.T) {
	in := `{"format":"sanad.session/v1","session":{"query":"q","answer":"Is leave 15 days? Leave is 15 days."},"documents":` +
		`[{"filename":"a.txt","text":"Leave is 15 days."}],"claims":[{"claim_text":"Leave is 15 days."}]}`
	_, got, errs := call(t, in, "check", "-")
	require.Contains(t, got, "claims 1", errs)
	require.NotContains(t, got, "no claims")
}
