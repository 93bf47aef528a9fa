package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/importers"
)

// sessionLink matches the address of a session.
var sessionLink = regexp.MustCompile(`/sessions/[0-9a-f]{8}-[0-9a-f-]{27}`)

// upload uploads a file like the page does without JavaScript, and returns the path of its session.
func (a *app) upload(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	to, page := a.postFile(t, a.cookie.Value, "/sessions", "file", filepath.Base(file), string(data), nil)
	if to != "" {
		return to
	}
	found := sessionLink.FindString(page) // if there are warnings, the page lists them and links to the session
	require.NotEmpty(t, found, file)
	return found
}

// TestProviderPagesAreAccessible checks pages with the verdicts of providers' files in both languages, wide and narrow:
// axe-core finds nothing, nothing scrolls sideways.
func TestProviderPagesAreAccessible(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for name, sample := range map[string]string{
		"anthropic": "anthropic/damaged.json", "openai": "openai/damaged.json", "ragas": "ragas/row.json",
		"gemini": "gemini/rest.json", "anthropic-ar": "anthropic/ar.json",
	} {
		at := a.upload(t, "../importers/testdata/"+sample)
		for page, path := range map[string]string{"session": at + "?claim=1", "claim": at + "/claims/1?"} {
			for _, lang := range []string{"en", "ar"} {
				for _, width := range []int64{1280, 360} {
					id := fmt.Sprintf("provider-%s-%s-%s-%d", name, page, lang, width)
					b.width(width)
					b.visit(path + "&theme=light&lang=" + lang)
					require.Equal(t, 1, eval[int](b, `document.querySelectorAll(".said").length`), id)
					b.picture(id)
					b.accessible(id)
				}
			}
		}
	}
}

// firstNumber matches the number in "placed exactly: 3 (50%)", in either script's digits.
var firstNumber = regexp.MustCompile(`: *(\d+)`)

// TestEveryProvidersPageShowsWhatWasPlaced checks, for a sample of every provider's format and in both languages, that
// the page names the format and shows how many citations were placed exactly, after normalising, nearly, and not at
// all, as counted by the import. With SANAD_PICTURES it saves a picture of each (make thorough does).
func TestEveryProvidersPageShowsWhatWasPlaced(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../importers/testdata/*/*.json")
	require.NoError(t, err)
	a := startApp(t)
	b := open(t, a)
	b.width(1280)
	shown := map[string]int{}
	for _, file := range files {
		folder := filepath.Base(filepath.Dir(file))
		shown[folder] += 0
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		read, err := importers.Read(data, importers.Options{})
		if err != nil { // a sample of several sessions, of which the first is used, or of a refusal
			first := firstSession(data)
			if first == nil {
				continue
			}
			if read, err = importers.Read(first, importers.Options{}); err != nil {
				continue
			}
			file = filepath.Join(t.TempDir(), filepath.Base(file))
			require.NoError(t, os.WriteFile(file, first, 0o600))
		}
		at := a.upload(t, file)
		provider := ledger.ProviderName(read.Format)
		require.NotEmpty(t, provider, file)
		for _, lang := range []string{"en", "ar"} {
			id := fmt.Sprintf("format-%s-%s-%s", folder, strings.TrimSuffix(filepath.Base(file), ".json"), lang)
			b.visit(at + "?tab=sources&theme=light&lang=" + lang)
			b.picture(id)
			lines := eval[[]string](b, `[...document.querySelectorAll("#from > span")].map(s => s.textContent)`)
			require.NotEmpty(t, lines, id)
			require.Contains(t, lines[0], provider, id)
			if read.Placed.Total() == 0 {
				require.Len(t, lines, 1, "%s: there are no citations in the file", id)
				continue
			}
			require.Len(t, lines, 2+len(ledger.Placements), id)
			for i, kind := range ledger.Placements {
				got := firstNumber.FindStringSubmatch(text.Fold(lines[2+i]))
				require.Len(t, got, 2, "%s: %s", id, lines[2+i])
				require.Equal(t, strconv.Itoa(read.Placed.Of(kind)), got[1], "%s: %s", id, lines[2+i])
				require.Regexp(t, `\d+ ?%`, text.Fold(lines[2+i]), id)
			}
		}
		shown[folder]++
	}
	require.GreaterOrEqual(t, len(shown), 19)
	for folder, n := range shown {
		require.Positive(t, n, folder)
	}
}

// firstSession returns the first of several sessions in a file: of a list, or of promptfoo's results with the first
// alone; nil if none.
func firstSession(data []byte) []byte {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil && len(list) > 0 {
		return list[0]
	}
	var results struct {
		Results struct {
			Results []json.RawMessage `json:"results"`
		} `json:"results"`
	}
	if json.Unmarshal(data, &results) != nil || len(results.Results.Results) == 0 {
		return nil
	}
	results.Results.Results = results.Results.Results[:1]
	first, err := json.Marshal(results)
	if err != nil {
		return nil
	}
	return first
}
