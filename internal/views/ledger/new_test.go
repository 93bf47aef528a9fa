package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
)

// TestWhyANewSessionIsRefused: the form says it in the reader's language, beside the field that it is about.
func TestWhyANewSessionIsRefused(t *testing.T) {
	for _, lang := range []string{"en", "ar"} {
		fault := &ui.FormFault{Message: domain.Message{ID: "refused_request_more_mib", Args: []any{"N", 64}}}
		said := func(answer, field string) *NewSessionPageData {
			fault.Field = field
			return NewNewSessionPage(viewtest.ChromeAt(lang, "/sessions/new"), SessionForm{Answer: answer, Fault: fault})
		}
		c := viewtest.ChromeAt(lang, "/")
		want := c.Said(fault.Message)
		require.Equal(t, want, said("It is so.", "answer").Answer)
		require.Equal(t, want, said("It is so.", "files[0]").Documents)
		require.Equal(t, want, said("It is so.", "documents").Documents)
		require.Equal(t, want, said("It is so.", "").Whole)
		require.Equal(t, say.Isolated("claims[3]")+": "+want, said("", "claims[3]").File)
		require.Equal(t, want, NewNewSessionPage(c, SessionForm{Import: true, Fault: &ui.FormFault{Message: fault.Message}}).File)
		require.Equal(t, say.Isolated("lang")+": "+want, said("It is so.", "lang").Whole)
	}
}
