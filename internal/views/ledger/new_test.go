package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/views/viewtest"
)

// TestWhyANewSessionIsRefused: the form says it in the reader's language; words that are not known stand behind the kind of
// fault.
func TestWhyANewSessionIsRefused(t *testing.T) {
	said := func(lang, path, fault string) *NewSessionPageData {
		return NewNewSessionPage(viewtest.ChromeAt(lang, "/sessions/new"), SessionForm{Answer: "It is so.", FaultPath: path, Fault: fault,
			FaultKind: "invalid"})
	}
	const long = "This text is longer than 1,000,000 characters; shorten it."
	require.Equal(t, long, said("en", "answer", long).Answer)
	require.Equal(t, "عدد أحرف هذا النص أكثر من \u20681,000,000\u2069؛ اختصره.", said("ar", "answer", long).Answer)
	require.Equal(t, "الملف \u2068a.txt\u2069 ليس نصًا بترميز UTF-8؛ افتحه في محرر نصوص واحفظه بهذا الترميز.",
		said("ar", "files[0]", "a.txt is not UTF-8 text; open it in an editor and save it as UTF-8.").Documents)
	require.Equal(t, "تعذّر قبول الإدخال كما هو. \u2068Words of a newer program.\u2069", said("ar", "answer", "Words of a newer program.").Answer)
}
