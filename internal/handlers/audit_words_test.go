package handlers_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	auditviews "sanad/internal/views/audit"
	"sanad/internal/views/say"
	"sanad/internal/words"
)

// loggedAs matches the code that names the action of an event.
var loggedAs = regexp.MustCompile(`(?:Action: |[a-zA-Z]*[eE]vent\(|(?:[eE]pochStarted|[cC]laimReviewed\w*|[lL]ogVerified)\s*= )"([a-z]+\.[a-z_]+)"`)

// Every logged action has a message in both languages, and belongs to a family that the log can be filtered by.
func TestEveryActionHasWords(t *testing.T) {
	found := map[string]bool{}
	for _, folder := range []string{"../db", "../db/*", "../handlers/*", "../../cmd/web"} {
		files, err := filepath.Glob(folder + "/*.go")
		require.NoError(t, err)
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") || strings.Contains(f, "dbtest") {
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
		require.Contains(t, auditviews.Actions(), action, "the log can be filtered by it")
		for _, lang := range words.Langs {
			require.True(t, words.In(lang).Has("event_"+strings.ReplaceAll(action, ".", "_")), "%s %s", lang,
				"event_"+strings.ReplaceAll(action, ".", "_"))
			require.True(t, words.In(lang).Has("family_"+family), "%s %s", lang, "family_"+family)
		}
	}
	require.Greater(t, len(named(t)), 100, "the list of events that have a name")
	for action := range named(t) {
		found[action] = true
	}
	for _, action := range auditviews.Actions() {
		require.True(t, found[action] || slices.Contains(auditviews.EventFamilies, action), "%s is an action", action)
	}
	en := say.To("en", "latn", time.Time{})
	for action := range found {
		said := en.Sentence(&say.Event{Action: action})
		require.NotEqual(t, ": "+en.EventWord(action), said[len(said)-1].Text, "%s has no sentence: say_%s", action,
			strings.ReplaceAll(action, ".", "_"))
	}
	for _, kind := range audit.FaultKinds() {
		for _, lang := range words.Langs {
			require.True(t, words.In(lang).Has("aud_fault_"+kind), "%s %s", lang, "aud_fault_"+kind)
		}
	}
}

// named lists the actions that have a name in the messages, whatever code logs them.
func named(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../words/messages/*.en.json")
	require.NoError(t, err)
	out := map[string]bool{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^ *"event_([a-z]+)_([a-z_]+)":`).FindAllStringSubmatch(string(data), -1) {
			if action := m[1] + "." + m[2]; action != "webhook.test" { // a message that is sent, and no event
				out[action] = true
			}
		}
	}
	return out
}
