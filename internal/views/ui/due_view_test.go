package ui_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/due"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
)

// TestDueSectionSaysItsDayOnce: the day is read once, with words for what is near; the field is labelled as a date and
// not as today.
func TestDueSectionSaysItsDayOnce(t *testing.T) {
	on := func(lang, day string) string {
		c := viewtest.ChromeAt(lang, "/packs/pack_1") // 21 November 2026
		at, err := time.Parse(time.DateOnly, day)
		require.NoError(t, err)
		v := c.DueView(&ui.DueInput{Date: due.Date{Day: day, LateAt: at.Add(24 * time.Hour), Open: true}, May: true})
		return viewtest.Html(t, ui.DueSection(&c, &v))
	}
	for lang, words := range map[string][]string{
		"en": {"2 Dec 2026", `<label for="due-on">Date `, "Due tomorrow"},
		"ar": {"2 ديسمبر 2026", `<label for="due-on">تاريخ الموعد `, "موعد الإنجاز غدًا"},
	} {
		later := on(lang, "2026-12-02")
		said, _, _ := strings.Cut(later, "<form")
		require.Equal(t, 1, strings.Count(said, words[0]), said)
		require.Contains(t, later, words[1])
		require.Contains(t, on(lang, "2026-11-22"), words[2])
	}
}

// TestDueIsSetApart: a pack's line sets its due date apart from what stands before it.
func TestDueIsSetApart(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	list := viewtest.Html(t, ui.PackList(&c, []ui.PackLine{{Title: "T", Signed: "1 of 2 approvals",
		Due: say.DueMark{State: due.Later, Words: "Due 2 Dec 2026"}}}))
	require.Regexp(t, `1 of 2 approvals · <span class="due `, strings.Join(strings.Fields(list), " "))
}
