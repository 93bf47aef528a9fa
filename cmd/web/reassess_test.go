package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// testRules is the environment variable that starts this test binary as a newer version of the program, with a second
// rule set in which nothing is supported and nothing is strong. With its value "halts" the process says so at a verdict
// in the middle and waits there to be killed. The test process itself keeps the current rules.
const testRules = "SANAD_TEST_RULES"

const (
	verdictsUntilHalt = 7 // of eight sessions with two claims each
	halted            = "halted"
)

func addTestRules(how string) {
	last := ledger.RuleSets[len(ledger.RuleSets)-1]
	verdicts := 0
	ledger.RuleSets = append(slices.Clone(ledger.RuleSets), ledger.RuleSet{
		What: "a test's", Flags: last.Flags, Checks: last.Checks,
		Decide: func(matches []ledger.Match) ledger.VerdictResult {
			if verdicts++; how == "halts" && verdicts == verdictsUntilHalt {
				fmt.Println(halted)
				select {}
			}
			a := last.Decide(matches)
			if a.Verdict == ledger.Supported {
				a.Verdict, a.Confidence = ledger.Weak, a.Confidence/3
			}
			return a
		},
		Score: func(s ledger.Strength) float64 { return last.Score(s) / 2 },
	})
}

// newer returns a command of the newer version.
func newer(how string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], onEngine(args...)...)
	cmd.Env = append(os.Environ(), testRules+"="+how)
	return cmd
}

// newerDoes runs a command of the newer version that must succeed, and returns what it printed.
func newerDoes(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := newer("2", args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Run(), "%v: %s", args, &errs)
	return out.String()
}

// importNumbered imports n sessions, each with a supported claim and one without evidence.
func importNumbered(t *testing.T, dir string, n int) (ids []string) {
	t.Helper()
	args := []string{"import", "--data", dir}
	for i := range n {
		file := filepath.Join(t.TempDir(), "session.json")
		require.NoError(t, os.WriteFile(file,
			fmt.Appendf(nil, `{"format":"sanad.session/v1","session":{"external_id":"n%d","query":"Fee?",
			"answer":"The harbourfee is 5 euros. Nobody says %d."},"documents":[{"id":"d","chunks":[{"id":"c","text":"The harbourfee is 5 euros."}]}],
			"claims":[{"claim_text":"The harbourfee is 5 euros","importance":"critical","matches":[{"chunk":"c","similarity":0.9,"support_level":"full"}]},
			{"claim_text":"Nobody says %d","importance":"critical","matches":[]}]}`, i, i, i), 0o600))
		args = append(args, file)
	}
	code, out, errs := call(t, "", args...)
	require.Zero(t, code, errs)
	for line := range strings.Lines(out) {
		ids = append(ids, strings.Fields(line)[0])
	}
	return ids
}

func exportedJSON(t *testing.T, dir, id string) string {
	t.Helper()
	return newerDoes(t, "export", "--data", dir, "--session", id, "--format", "json")
}

// requireConsistent reads a session in the list, in its ledger, by search and in its export, and requires that all four
// show the same figures.
func requireConsistent(t *testing.T, w *writer, dir, id string, want ledger.Verdict) {
	t.Helper()
	read := func(path string, to any) {
		status, data, _, err := w.send("GET", path, "")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, status, string(data))
		require.NoError(t, json.Unmarshal(data, to), string(data))
	}
	type counts struct {
		Supported int `json:"supported"`
		Weak      int `json:"weak"`
	}
	type body struct {
		Entries []struct {
			Verdict  ledger.Verdict    `json:"verdict"`
			Flags    []ledger.RiskType `json:"flags"`
			Strength struct {
				Score float64 `json:"score"`
			} `json:"evidence_strength"`
		} `json:"entries"`
		Summary struct {
			ByVerdict counts `json:"by_verdict"`
		} `json:"summary"`
	}
	var list struct {
		Sessions []struct {
			ID        string
			ByVerdict counts `json:"by_verdict"`
			Flags     []ledger.RiskType
		}
	}
	var shown struct{ Ledger body }
	var found struct {
		Results []struct {
			Kind      string
			SessionID string `json:"session_id"`
			Verdict   ledger.Verdict
		}
	}
	var exported body
	read("/api/v1/sessions?limit=100", &list)
	read("/api/v1/sessions/"+id+"/ledger", &shown)
	read("/api/v1/search?limit=100&kind=claim&q=harbourfee", &found)
	require.NoError(t, json.Unmarshal([]byte(exportedJSON(t, dir, id)), &exported))

	require.Equal(t, want, shown.Ledger.Entries[0].Verdict)
	require.Equal(t, shown.Ledger.Summary.ByVerdict, exported.Summary.ByVerdict)
	require.Equal(t, shown.Ledger.Entries[0].Verdict, exported.Entries[0].Verdict)
	require.Len(t, exported.Entries[0].Flags, len(shown.Ledger.Entries[0].Flags))
	require.InDelta(t, shown.Ledger.Entries[0].Strength.Score, exported.Entries[0].Strength.Score, 0)
	seen := 0
	for _, s := range list.Sessions {
		if s.ID == id {
			seen++
			require.Equal(t, shown.Ledger.Summary.ByVerdict, s.ByVerdict)
		}
	}
	for _, f := range found.Results {
		if f.SessionID == id {
			seen++
			require.Equal(t, want, f.Verdict)
		}
	}
	require.Equal(t, 2, seen, "the list and the search have the session: %+v %+v", list, found)
}

// TestRulesChange checks that after a rule change the list, ledger, search and export of a session agree: before it is
// reassessed, while others have been, and afterwards. `sanad reassess` continues after a kill and runs beside a server.
// The newer version reads exports that were assessed by older rules.
func TestRulesChange(t *testing.T) {
	dir := dbtest.Dir(t)
	ids := importNumbered(t, dir, 8)
	first, last := ids[0], ids[len(ids)-1]
	desk{t, dir}.look(func(ctx context.Context, s *db.Store) { // a person confirms the judge's verdict
		tenant, err := s.TenantBySlug(ctx, mainTenant)
		require.NoError(t, err)
		amal := access.Actor{Tenant: tenant.ID, ID: "amal", User: "Amal", Role: access.Reviewer}
		_, err = s.Review(ctx, amal, last, db.ReviewRequest{Decision: ledger.Decision{
			ReviewInput: ledger.ReviewInput{Action: ledger.Confirm}, At: time.Now().UTC(), NewID: newID,
		}})
		require.NoError(t, err)
	})
	code, old, errs := call(t, "", "export", "--data", dir, "--session", first, "--format", "json")
	require.Zero(t, code, errs)
	now, next := ledger.CurrentRuleSet(), ledger.CurrentRuleSet()+1
	require.Contains(t, old, statedRules(now))
	token := writerToken(t, dir)

	var log bytes.Buffer
	server := newer("2", "serve", "--addr", "127.0.0.1:0", "--data", dir)
	server.Stderr = &log
	w := &writer{startWeb(t, server), token, &http.Client{Transport: &http.Transport{}}}
	stopped := false
	stop := func() {
		if !stopped {
			stopped = true
			_ = server.Process.Signal(os.Interrupt)
			_ = server.Wait()
		}
	}
	defer stop()
	require.Equal(t, old, exportedJSON(t, dir, first), "an upgrade alone changes no export")
	requireConsistent(t, w, dir, first, ledger.Supported)
	require.Equal(t, fmt.Sprintf("main: 8 sessions were assessed by an older rule set than %d\n", next),
		newerDoes(t, "reassess", "--data", dir, "--dry-run"))

	halts := newer("halts", "reassess", "--data", dir)
	said, err := halts.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, halts.Start())
	line, err := bufio.NewReader(said).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, halted+"\n", line)
	require.NoError(t, halts.Process.Kill())
	_ = halts.Wait()
	part := countRows(t, dir, fmt.Sprintf("SELECT count(*) FROM sessions WHERE rule_set = %d", next))
	require.Positive(t, part, "it was killed in the middle")
	require.Less(t, part, 7, "it was killed in the middle")
	requireConsistent(t, w, dir, first, ledger.Weak)
	requireConsistent(t, w, dir, ids[6], ledger.Supported)

	out := newerDoes(t, "reassess", "--data", dir)
	require.Equal(t, fmt.Sprintf("main: %d sessions reassessed by rule set %d: %d verdicts changed, 1 reviews became stale, 0 sessions opened again\n", 8-part, next, 8-part), out)
	require.Equal(t, fmt.Sprintf("main: 0 sessions reassessed by rule set %d: 0 verdicts changed, 0 reviews became stale, 0 sessions opened again\n", next),
		newerDoes(t, "reassess", "--data", dir), "again it does nothing")
	for _, id := range ids[:7] {
		requireConsistent(t, w, dir, id, ledger.Weak)
	}
	requireConsistent(t, w, dir, last, ledger.Supported) // the person's verdict is kept, and marked stale
	require.Contains(t, exportedJSON(t, dir, last), `"stale": true`)
	fresh := exportedJSON(t, dir, first)
	require.Contains(t, fresh, statedRules(next))
	require.Equal(t, fresh, exportedJSON(t, dir, first))
	require.Equal(t, 8, countRows(t, dir, "SELECT count(*) FROM events WHERE action = 'session.reassessed'"))
	require.Equal(t, 1, countRows(t, dir,
		"SELECT count(*) FROM counters WHERE day = '' AND supported = 1 AND weak = 7"))
	stop()
	require.Contains(t, log.String(), `"sessions":8`)
	requireLogsVerify(t, dir)
	requireOlderExport(t, old, fresh)
}

// statedRules is how an export states the rule set that assessed the session.
func statedRules(n int) string { return fmt.Sprintf("\n    \"rule_set\": %d,", n) }

// requireOlderExport imports an export of the older rules, with and without their number, into the newer version: what
// it said stands beside the claims, which are judged and assessed by the newest rules (rule L-32).
func requireOlderExport(t *testing.T, old, fresh string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "old.json")
	numberless := strings.Replace(old, statedRules(ledger.CurrentRuleSet()), "", 1)
	require.NotEqual(t, old, numberless)
	for name, text := range map[string]string{"numbered": old, "before numbers": numberless} {
		dir := dbtest.Dir(t)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		id := strings.Fields(newerDoes(t, "import", "--data", dir, file))[0]
		exported := exportedJSON(t, dir, id)
		require.Contains(t, exported, statedRules(ledger.CurrentRuleSet()+1), name)
		requireVerdicts(t, exported, name, ledger.Weak, ledger.Supported)
		require.Contains(t, newerDoes(t, "reassess", "--data", dir), "main: 0 sessions reassessed", name)
	}

	changed := filepath.Join(t.TempDir(), "changed.json")
	require.NoError(t, os.WriteFile(changed, []byte(strings.Replace(old, statedRules(ledger.CurrentRuleSet()),
		statedRules(ledger.CurrentRuleSet()+1), 1)), 0o600))
	require.Error(t, newer("2", "import", "--data", t.TempDir(), changed).Run(),
		"by the rules that it states it has other verdicts")

	file = filepath.Join(t.TempDir(), "new.json")
	require.NoError(t, os.WriteFile(file, []byte(fresh), 0o600))
	code, _, errs := call(t, "", "import", "--data", t.TempDir(), file)
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, fmt.Sprintf("rule set %d", ledger.CurrentRuleSet()+1))
}

// requireVerdicts checks the verdict on the first claim of an export, and what the file that it was imported from said.
func requireVerdicts(t *testing.T, exported, name string, now, said ledger.Verdict) {
	t.Helper()
	var is struct {
		Entries []struct{ Verdict ledger.Verdict }
		Sanad   struct {
			Imports []struct{ File string }
			Claims  []struct {
				Imported []struct{ Verdict ledger.Verdict } `json:"imported_reviews"`
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(exported), &is))
	require.Equal(t, now, is.Entries[0].Verdict, name)
	require.Len(t, is.Sanad.Claims[0].Imported, 1, name)
	require.Equal(t, said, is.Sanad.Claims[0].Imported[0].Verdict, name)
	require.Len(t, is.Sanad.Imports, 1, name)
	require.Equal(t, "old.json", is.Sanad.Imports[0].File, name)
}

func countRows(t *testing.T, dir, query string) (n int) {
	t.Helper()
	require.NoError(t, dbtest.Raw(t, dir).QueryRow(query).Scan(&n))
	return n
}
