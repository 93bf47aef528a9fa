package handlers_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	auditviews "sanad/internal/views/audit"
	"sanad/internal/words"
)

// loggedAs matches the code that names the action of an event.
var loggedAs = regexp.MustCompile(`(?:Action: |[a-zA-Z]*[eE]vent\(|(?:epochStarted|claimReviewed|logVerified)\s*= )"([a-z]+\.[a-z_]+)"`)

// Every logged action has a message in both languages, and belongs to a family that the log can be filtered by.
func TestEveryActionHasWords(t *testing.T) {
	found := map[string]bool{}
	for _, folder := range []string{"../db", "../handlers/*", "../../cmd/web"} {
		files, err := filepath.Glob(folder + "/*.go")
		require.NoError(t, err)
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			data, err := os.ReadFile(f)
			require.NoError(t, err)
			for _, m := range loggedAs.FindAllStringSubmatch(string(data), -1) {
				found[m[1]] = true
			}
		}
	}
	require.Greater(t, len(found), 25, "the pattern still finds them")
	for action := range found {
		family, _, _ := strings.Cut(action, ".")
		require.Contains(t, auditviews.EventFamilies, family, action)
		for _, lang := range words.Langs {
			require.True(t, words.In(lang).Has("event_"+strings.ReplaceAll(action, ".", "_")), "%s %s", lang,
				"event_"+strings.ReplaceAll(action, ".", "_"))
			require.True(t, words.In(lang).Has("family_"+family), "%s %s", lang, "family_"+family)
		}
	}
	for _, kind := range audit.FaultKinds() {
		for _, lang := range words.Langs {
			require.True(t, words.In(lang).Has("aud_fault_"+kind), "%s %s", lang, "aud_fault_"+kind)
		}
	}
}
