package ui

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every sentence of the judge that a page shows has its
// Arabic words (rule H-7).
func TestStoredSentencesAreSaidInArabic(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar"})
	literal, verb := regexp.MustCompile(`"([A-Z][^"\n]* [^"\n]*\.)"`), regexp.MustCompile(`%[dqsv]`)
	found := 0
	for _, pattern := range []string{
		"domain/judge/explain.go", "domain/judge/modality.go",
		"domain/judge/attached.go", "domain/judge/lexical.go", "domain/judge/judge.go", "domain/judge/pointer/*.go",
		"llm/chat.go", "llm/fault.go",
		"app/modelbudget.go",
	} {
		files, err := filepath.Glob("../../" + pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			for _, line := range strings.Split(string(data), "\n") {
				m := literal.FindStringSubmatch(line)
				if m == nil || strings.Contains(line, `Invalidf("policy`) || strings.Contains(line, `build_version`) ||
					strings.Contains(line, "canonical form") {
					continue // refusals of the API
				}
				found++
				english := verb.ReplaceAllString(m[1], "12")
				require.NotEqual(t, english, c.SaidText(english), "%s: give it a message said_…", name)
			}
		}
	}
	require.Greater(t, found, 45)
	require.Equal(t, "Words of somebody.", c.SaidText("Words of somebody."))
	c = NewChrome(ChromeInput{Lang: "en"})
	require.Equal(t, "There is no text.", c.SaidText("There is no text."))
}

// TestModelNotesAreSaidInArabic: the notes of a model's matches are said in Arabic, but for what the model wrote
// itself.
func TestModelNotesAreSaidInArabic(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar"})
	for english, arabic := range map[string]string{
		"Model says: supported.": "يقول النموذج: مؤيَّدة.",
		"Model says: contradicted (15, not 20); judges disagree: the embedded judge finds that they support the claim.": "" +
			"يقول النموذج: مخالفة للمصدر (\u206815, not 20\u2069)؛ " +
			"اختلف المُحكِّمان: يجد المُحكِّم المضمَّن أن هذه الجمل تؤيد الإفادة.",
		"Model says: supported; beside it stands a sentence that speaks to the judge.": "" +
			"يقول النموذج: مؤيَّدة؛ تجاورها جملة تخاطب المُحكِّم.",
		"The model named evidence that it was not given: E1, E2.": "ذكر النموذج أدلة لم تُعطَ له: \u2068E1, E2\u2069.",
		"Model says: maybe.": "Model says: maybe.",
	} {
		require.Equal(t, arabic, c.SaidText(english))
	}
}

// TestWhatIsInsertedKeepsItsOrderAndDigits: numbers are written in the reader's digits, names and others' words as they
// are.
func TestWhatIsInsertedKeepsItsOrderAndDigits(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar", Digits: "arab"})
	for english, arabic := range map[string]string{
		"The source does not mention: Q4 2024.": "لا يذكر المصدر: \u2068Q4 2024\u2069.",
	} {
		require.Equal(t, arabic, c.SaidText(english))
	}
}
