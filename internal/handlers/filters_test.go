package handlers_test

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// quoted matches what a sentence of ours quotes.
var quoted = regexp.MustCompile(`<bdi[^>]*>([^<]*)</bdi>`)

// TestListsSayWhichFiltersTheyCouldNotUse checks that a list names a filter whose value does not exist, in the reader's
// language, keeps what was typed, and shows its rows all the same.
func TestListsSayWhichFiltersTheyCouldNotUse(t *testing.T) {
	s := webtest.NewServer(t)
	made := s.As("admin").Create(webtest.LeavePolicy)
	session := "/sessions/" + made.SessionID
	for _, at := range []struct{ path, en, ar string }{
		{"/sessions?state=x", "Status: the value “\u2068x\u2069” does not exist", "الحالة: لا وجود للقيمة «\u2068x\u2069»"},
		{"/sessions?assigned=you", "Assigned to me: the value “\u2068you\u2069” does not exist", "لا وجود للقيمة «\u2068you\u2069»"},
		{"/sessions?flag=x&verdict=y", "Risk flags: the value", "لا وجود للقيمة «\u2068y\u2069»"},
		{"/packs?state=x", "Status: the value", "لا وجود للقيمة"},
		{"/packs?level=x", "Requirement: the value", "لا وجود للقيمة"},
		{session + "?verdict=maybe", "Verdict: the value", "لا وجود للقيمة"},
		{session + "?importance=x", "the value “\u2068x\u2069” does not exist", "لا وجود للقيمة"},
		{"/search?q=leave&state=x", "Status: the value", "لا وجود للقيمة"},
		{"/search?q=leave&from=2026-13-01", "From: “\u20682026-13-01\u2069” is not a date", "من تاريخ: القيمة «\u20682026-13-01\u2069» ليست تاريخًا"},
		{"/audit?to=soon", "To: “\u2068soon\u2069” is not a date", "إلى تاريخ: القيمة «\u2068soon\u2069» ليست تاريخًا"},
		{"/audit?claim=-1", "“\u2068-1\u2069” is not a number above zero", "ليست عددًا أكبر من الصفر"},
		{"/audit?claim=3", "Claim no.: claim numbers start again in each session", "اختر الجلسة في حقل «العنصر»"},
		{"/audit?action=x", "Action: the value", "لا وجود للقيمة"},
	} {
		for lang, want := range map[string]string{"en": at.en, "ar": at.ar} {
			res := s.Do("GET", at.path+"&lang="+lang, "")
			require.Equal(t, http.StatusUnprocessableEntity, res.Code, at.path)
			require.Contains(t, quoted.ReplaceAllString(res.Body.String(), "\u2068$1\u2069"), want, at.path)
			require.Contains(t, res.Body.String(), `id="unused-filters"`, at.path)
		}
	}
	for _, path := range []string{"/sessions?state=open", "/packs?state=draft", session + "?verdict=unjudged", "/search?q=leave&state=new",
		"/audit?from=2020-01-31&to=" + url.QueryEscape("٢٠٩٩-١٢-٣١")} {
		res := s.Do("GET", path, "")
		require.Equal(t, http.StatusOK, res.Code, path)
		require.NotContains(t, res.Body.String(), "unused-filters", path)
	}

	// a day that cannot be read stays in its field; one in Arabic-Indic digits limits the list
	require.Contains(t, s.Do("GET", "/audit?from=soon", "").Body.String(), `value="soon" aria-invalid="true"`)
	require.Contains(t, s.Do("GET", "/audit?claim=3", "").Body.String(), `value="3" aria-invalid="true"`)
	page := s.Do("GET", "/audit?lang=en&digits=latn&to="+url.QueryEscape("٢٠٠١/١/٣١"), "").Body.String()
	require.Contains(t, page, `name="to" type="text" inputmode="numeric" dir="ltr" autocomplete="off" maxlength="32" value="2001-01-31"`)
	require.Contains(t, page, "No events match")
	require.Contains(t, s.Do("GET", "/audit?lang=ar&digits=arab&to=2001-01-31", "").Body.String(), `value="٢٠٠١-٠١-٣١"`)
	s.Do("GET", "/audit?lang=en&digits=latn", "")

	// nothing that turns the words around comes back from an address
	turned := s.Do("GET", "/packs?state="+url.QueryEscape("\u202ex\u2066\n"), "").Body.String()
	require.Contains(t, quoted.ReplaceAllString(turned, "\u2068$1\u2069"), "“\u2068x\u2069”")
}
