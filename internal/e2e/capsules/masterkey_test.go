package capsules

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMasterKeyOfOldData replaces the master key of the oldest and the newest data folder: everything in it is still
// there, shown, and verifies; work goes on; a repeated request gets its answer; and backups need the key that they were
// made with (rule SEC-26).
func TestMasterKeyOfOldData(t *testing.T) {
	all := levels(t)
	oldest, newest := all[0], all[0]
	for _, l := range all {
		if l.about.Level < oldest.about.Level {
			oldest = l
		}
		if l.about.Level > newest.about.Level {
			newest = l
		}
	}
	for _, l := range []level{oldest, newest} {
		t.Run(filepath.Base(l.dir), func(t *testing.T) {
			p := l.open(t)
			rotate := func() (int, string, string) {
				args := []string{"key", "rotate-master", "--new-master-key-file", p.key + ".next", "--generate"}
				return run(t, "", "", append(args, p.flags()...)...)
			}
			code, _, errs := rotate()
			require.Equal(t, 1, code)
			require.Contains(t, errs, "sanad migrate first")
			require.NoFileExists(t, p.key+".next")
			p.does("", "migrate")
			tokens := map[string]string{}
			for login, who := range l.about.People {
				tokens[login] = p.token(login, who.Role)
			}
			s := p.serve("serve")
			sara := l.about.People["sara"].Password
			page := s.signIn("sara", sara)
			asked := s.bearer(tokens["yousef"]).keyed(t, "once", "Leave is 15 days.")
			s.stop()
			backup := filepath.Join(t.TempDir(), "backup")
			p.does("", "backup", backup)

			code, out, errs := rotate()
			require.Zero(t, code, errs)
			for _, table := range []string{"keys", "log_seals", "evidence_packs", "webhooks", "receipts"} {
				require.Regexp(t, `(?m)^`+table+`\t[1-9]`, out)
			}
			old := p
			p.key += ".next"
			code, _, errs = run(t, "", "", append([]string{"audit", "verify"}, old.flags()...)...)
			require.Equal(t, 1, code)
			require.Contains(t, errs, "this is the old master key")
			l.checkLog(t, p)

			s = p.serve("serve")
			page.url = s.url
			page.get("/packs") // still signed in
			again := s.bearer(tokens["yousef"]).keyed(t, "once", "Leave is 15 days.")
			require.Equal(t, asked.body, again.body)
			require.True(t, again.replayed)
			require.Equal(t, http.StatusUnprocessableEntity,
				s.bearer(tokens["yousef"]).keyed(t, "once", "Leave is 16 days.").code, "another request with the same key")
			reader := s.bearer(tokens["sara"])
			l.checkSessions(t, p, reader, page)
			l.checkPacks(t, reader, page)
			l.checkAnswers(t, reader)
			l.goesOn(t, s, tokens)
			s.signIn("sara", sara)
			s.stop()
			l.checkLog(t, p)

			old.does("", "restore", backup, "--check")
			code, _, errs = run(t, "", "", append([]string{"restore", backup, "--check"}, p.flags()...)...)
			require.Equal(t, 1, code)
			require.Contains(t, errs, "not the one that sealed")
			after := filepath.Join(t.TempDir(), "after")
			p.does("", "backup", after)
			p.does("", "restore", after, "--check")
			back := place{t: t, data: filepath.Join(t.TempDir(), "restored"), key: old.key}
			back.does("", "restore", backup, "--reason", "a test of the old key")
			back.does("", "key", "rotate-master", "--new-master-key-file", p.key)
			back.key = p.key
			back.does("", "audit", "verify")
		})
	}
}

// keyedAnswer is the answer to a request with an Idempotency-Key.
type keyedAnswer struct {
	code     int
	body     string
	replayed bool
}

// keyed imports a small session with an Idempotency-Key.
func (v visitor) keyed(t *testing.T, key, answer string) keyedAnswer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"format": "sanad.session/v1",
		"session":   map[string]any{"external_id": "keyed", "answer": answer},
		"documents": []map[string]any{{"id": "d", "text": "Leave is 15 days."}}})
	require.NoError(t, err)
	code, data, header := v.send("POST", "/api/v1/sessions", "application/json", body, "Idempotency-Key", key)
	return keyedAnswer{code, string(data), header.Get("Idempotent-Replayed") == "true"}
}
