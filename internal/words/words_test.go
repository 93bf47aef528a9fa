package words_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// messages reads the files of one language.
func messages(t *testing.T, lang string) map[string]any {
	t.Helper()
	names, err := filepath.Glob("messages/*." + lang + ".json")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	all := map[string]any{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &all))
	}
	pages, err := filepath.Glob("messages/*." + lang + ".md")
	require.NoError(t, err)
	for _, name := range pages {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		all[strings.TrimSuffix(filepath.Base(name), "."+lang+".md")] = string(data)
	}
	return all
}

// usedIDs lists the message ids that the pages name literally.
func usedIDs(t *testing.T) []string {
	t.Helper()
	call := regexp.MustCompile(`\b[TN]\("([a-z0-9_+]+)"`)
	var ids []string
	err := filepath.WalkDir("../views", func(name string, d fs.DirEntry, err error) error {
		page := strings.HasSuffix(name, ".templ") || strings.HasSuffix(name, ".go")
		if err != nil || !page || strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		for _, m := range call.FindAllStringSubmatch(string(data), -1) {
			ids = append(ids, m[1])
		}
		return err
	})
	require.NoError(t, err)
	return ids
}

func TestEveryMessageIsInBothLanguages(t *testing.T) {
	en, ar := messages(t, "en"), messages(t, "ar")
	for id := range en {
		if !strings.HasPrefix(id, "exported.") { // exported files are English
			require.Contains(t, ar, id)
		}
	}
	for id := range ar {
		require.Contains(t, en, id)
	}
	used := usedIDs(t)
	require.Greater(t, len(used), 150, "the scan found the messages")
	for _, id := range used {
		if strings.HasSuffix(id, "_") {
			continue // a prefix of several ids, below
		}
		require.Contains(t, en, id)
	}
}

// literal matches a string in Go or templ that may be a message id, or the start of one.
var literal = regexp.MustCompile(`"([a-z][A-Za-z0-9_.+]*)"`)

// written returns the strings in the code.
func written(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, root := range []string{"..", "../../cmd"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			code := strings.HasSuffix(name, ".templ") || strings.HasSuffix(name, ".go")
			if err != nil || !code || strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			data, err := os.ReadFile(name)
			for _, m := range literal.FindAllStringSubmatch(string(data), -1) {
				found[m[1]] = true
			}
			return err
		})
		require.NoError(t, err)
	}
	require.Greater(t, len(found), 2000, "the scan found the code")
	return found
}

// The code names each message, in full or by a prefix to which it appends a value: "verdict_". The exporters omit the
// prefix of their own messages.
func TestEveryMessageIsUsed(t *testing.T) {
	found := written(t)
	found["theme_"], found["digits_"] = true, true // named by the preference in layout.templ
	used := func(id string) bool {
		if found[id] {
			return true
		}
		for i, r := range id {
			if r == '_' && found[id[:i+1]] {
				return true
			}
		}
		return false
	}
	for id := range messages(t, "en") {
		_, own, ok := strings.Cut(id, ".")
		require.True(t, used(id) || ok && used(own), "nothing shows %q", id)
	}
}

func TestEveryValueHasItsMessage(t *testing.T) {
	en := messages(t, "en")
	families := map[string][]string{"severity_": {"high", "medium", "low"}, "month_": {"1", "12"}, "status_": {"open"}}
	add := func(prefix string, values ...string) { families[prefix] = append(families[prefix], values...) }
	for _, v := range ledger.Verdicts {
		add("verdict_", string(v))
	}
	add("verdict_", "unjudged")
	for _, v := range ledger.ClaimTypes {
		add("type_", string(v))
	}
	for _, v := range ledger.Importances {
		add("importance_", string(v))
	}
	for _, v := range ledger.Actions {
		if add("did_", string(v)); v == ledger.Replace {
			continue // it has a page of its own
		}
		if v.OfThread() {
			add("thread_", string(v))
			continue
		}
		add("action_", string(v))
		add("do_", string(v))
	}
	for _, v := range ledger.States {
		add("state_", string(v))
		add("status_", string(v))
	}
	add("second_", "open", "blind")
	add("mode_", "none", "open", "blind")
	add("progress_", "settled", "differs", "stale", "unjudged", "open")
	for _, v := range ledger.RiskTypes {
		for _, prefix := range []string{"flag_name_", "then_", "ask_", "do_"} {
			add(prefix, string(v))
		}
	}
	for _, v := range access.Roles {
		add("role_", string(v))
	}
	for _, v := range pack.PolicyRules {
		add("policy.rule_", v)
		add("policy.broken_", v)
	}
	for _, v := range ledger.Supports {
		add("support_", string(v))
	}
	add("quote_", "exact", "normalised", "fuzzy", "not_placed", "none")
	add("cite_", "resolved", "ambiguous", "unresolved")
	add("judge_", "given", "lexical", "given+lexical", "embedded", "given+embedded")
	for prefix, values := range families {
		for _, v := range values {
			require.Contains(t, en, prefix+v)
		}
	}
}

func TestArabicPluralsHaveEveryForm(t *testing.T) {
	want := []string{"few", "many", "one", "other", "two", "zero"}
	for id, v := range messages(t, "ar") {
		forms, ok := v.(map[string]any)
		if !ok {
			continue
		}
		var got []string
		for f := range forms {
			got = append(got, f)
		}
		sort.Strings(got)
		require.Equal(t, want, got, id)
	}
}

func TestPlurals(t *testing.T) {
	en, ar := words.In("en"), words.In("ar")
	for count, want := range map[int][2]string{
		0: {"0 claims", "لا إفادات"}, 1: {"1 claim", "إفادة واحدة"}, 2: {"2 claims", "إفادتان"},
		3:  {"3 claims", "3 إفادات"},
		10: {"10 claims", "10 إفادات"}, 11: {"11 claims", "11 إفادة"}, 99: {"99 claims", "99 إفادة"},
		100: {"100 claims", "100 إفادة"}, 103: {"103 claims", "103 إفادات"}, -1: {"-1 claim", "إفادة واحدة"},
	} {
		shown := strconv.Itoa(count)
		require.Equal(t, want[0], en.Plural("n_claims", count, shown))
		require.Equal(t, want[1], ar.Plural("n_claims", count, shown))
	}
}

func TestText(t *testing.T) {
	en := words.In("en")
	require.Equal(t, "Skip to content", en.Text("skip"))
	require.Equal(t, "p. 7", en.Text("page_short", "N", 7))
	require.Equal(t, "p. {{.N}}", en.Text("page_short", "M", "7"), "a placeholder without a value stays visible")
	require.Equal(t, "no_such_id", en.Text("no_such_id"))
	require.Equal(t, "no_such_id", en.Plural("no_such_id", 2, "2"))
	require.True(t, en.Has("skip"))
	require.False(t, en.Has("no_such_id"))
	require.Nil(t, words.In("fr"))
}

func TestArabicDigits(t *testing.T) {
	require.Equal(t, "١٬٢٣٤٫٥٪", words.ArabicDigits("1,234.5%"))
}

func TestPlaceholdersAgree(t *testing.T) {
	slot := regexp.MustCompile(`\{\{\.(\w+),?\}\}`)
	slots := func(v any) []string {
		s, ok := v.(string)
		if !ok {
			s, _ = v.(map[string]any)["other"].(string)
		}
		var out []string
		for _, m := range slot.FindAllStringSubmatch(s, -1) {
			out = append(out, m[1])
		}
		sort.Strings(out)
		return out
	}
	ar := messages(t, "ar")
	for id, v := range messages(t, "en") {
		if !strings.HasPrefix(id, "exported.") {
			require.Equal(t, slots(v), slots(ar[id]), id)
		}
	}
}

// Every fault of a review step has its own text in both languages, whose id is derived from its place in the code.
func TestEveryStepFaultHasWords(t *testing.T) {
	fault := regexp.MustCompile(`domain\.Refuse\(domain\.(Invalid|TooLarge), (?:"([a-z_]+)"|field),`)
	field := regexp.MustCompile(`for i, field := range \[\]string\{"([a-z_]+)", "([a-z_]+)"\}`)
	ids := map[string]bool{"fault_step_changed": true}
	for _, f := range []string{"../domain/ledger/assign.go", "../domain/ledger/decision.go", "../db/sessions/session_close.go",
		"../handlers/ledger/reviewers.go"} {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		found := fault.FindAllStringSubmatch(string(data), -1)
		require.NotEmpty(t, found, "%s: no faults found", f)
		for _, m := range found {
			names := []string{m[2]}
			if m[2] == "" {
				names = field.FindStringSubmatch(string(data))[1:]
			}
			for _, name := range names {
				ids["fault_step_"+name+map[string]string{"TooLarge": "_long"}[m[1]]] = true
			}
		}
	}
	for _, only := range []string{"claims_long", "dry_run", "action"} { // of ledger.Decision.Check: no page can send these
		delete(ids, "fault_step_"+only)
	}
	for _, own := range []string{"how", "most", "sessions_long", "to", "to_long", "share"} { // the page that assigns many says the refusal itself
		delete(ids, "fault_step_"+own)
	}
	require.Subset(t, ids, map[string]bool{"fault_step_batch_id": true, "fault_step_filter_long": true,
		"fault_step_first_reviewer": true, "fault_step_reason_long": true})
	for _, lang := range []string{"en", "ar"} {
		words := messages(t, lang)
		for id := range ids {
			require.Contains(t, words, id, lang)
		}
	}
}

// frozen pins the files whose texts become part of what is stored, signed or exported: changing them changes the export
// of the same input. To change one on purpose, document it in docs/compatibility.md and pin the new digest.
var frozen = map[string]string{
	"exported.en.json": "a3e26a92c0ecf31e154979dbf33d68c394d953b67d2dc033ac9fcf5a84ad645c",
	"memo.en.json":     "4d533195b80b802a018b45d92f35f14e3e5bcc8ca2ab17c310e08cf49216c6e0",
	"memo.ar.json":     "9a4f3d65097d990af7426884c63a022cfe3ddc663522cba802545a38fc799906",
}

func TestFrozenTextsAreUnchanged(t *testing.T) {
	for name, want := range frozen {
		data, err := os.ReadFile("messages/" + name)
		require.NoError(t, err)
		require.Equal(t, want, fmt.Sprintf("%x", sha256.Sum256(data)), "%s is frozen", name)
	}
}
