package handlers_test

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// The page of a refused form says why, and the links in its header lead back to the form's page, never to an address
// that takes no GET.
func TestRefusedForms(t *testing.T) {
	w := &webtest.World{Server: webtest.NewServer(t), Names: map[string]string{}}
	session := w.Upload("reviewer")
	s := w.As("reviewer")
	document, at := "/documents/"+session.Documents[0].ID, "/sessions/"+session.ID
	revision := fmt.Sprint(session.Revision)
	form := func(pairs ...string) string {
		v := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return v.Encode()
	}
	for _, c := range []struct {
		path, body, back string
		status           int
		en, ar           string
	}{
		{
			path: document + "/withdraw", body: form("revision", revision, "reason", " "), back: document,
			status: 422, en: "Say why", ar: "اذكر سبب",
		},
		{
			path: document + "/withdraw", body: form("revision", "0", "reason", "Old."), back: document,
			status: 409, en: "has changed in the meantime", ar: "تغيّرت الجلسة",
		},
		{
			path: at + "/confirm", body: form("revision", revision, "q", "nothing at all"),
			back: at + "/confirm", status: 422, en: "nothing left to confirm",
			ar: "لم يبقَ بين هذه الإفادات ما يُؤكَّد",
		},
		{
			path: at + "/confirm", body: form("revision", "0"), back: at + "/confirm", status: 409,
			en: "has changed since", ar: "تغيّر سجل الأدلة",
		},
		{
			path: at + "/undo", body: form("batch", "x"), back: at, status: 422,
			en: "There is nothing left to undo.", ar: "لم يبقَ من هذا ما يُتراجع عنه",
		},
		{
			path: at + "/claims/1/reviews", body: form("action", "override", "seen", "0"),
			back: at + "/claims/1", status: 422,
		},
	} {
		for lang, words := range map[string]string{"en": c.en, "ar": c.ar} {
			w := s.Do("POST", c.path+"?lang="+lang, c.body, "Content-Type", "application/x-www-form-urlencoded")
			require.Equal(t, c.status, w.Code, "%s: %s", c.path, w.Body)
			require.Contains(t, w.Body.String(), words, c.path)
			require.Contains(t, w.Body.String(), `<form method="get" action="`+c.back+`" data-keep="lang"`, c.path)
			require.Equal(t, 200, s.Do("GET", c.back, "").Code)
		}
	}
}
