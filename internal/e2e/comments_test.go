package e2e

import (
	"net/url"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

// TestMentionByKeyboard addresses somebody by the list that completes names, who then finds the very claim in their
// notifications; following the link marks it as read.
func TestMentionByKeyboard(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	sara := a.member(t, "sara", "Sara Haddad", access.Reviewer)
	a.member(t, "omar", "عمر العتيبي", access.Approver)
	claim := a.session("leave-policy.json") + "/claims/2"
	b := open(t, a)
	b.visit(claim + "?lang=en")
	b.click(`.review input[value="comment"]`)
	b.click("#r-r")
	b.keys("Please look, @had")
	b.until(`document.querySelector(".mention-list li[aria-selected=true]")?.textContent === "Sara Haddad"`)
	b.accessible("the list of people")
	b.picture("mention-list")
	b.keys(kb.Tab) // takes it as Enter does, which the protocol sends with a letter of its own
	require.Equal(t, "Please look, @Sara Haddad ", eval[string](b, `document.querySelector("#r-r").value`))
	require.Zero(t, eval[int](b, `document.querySelectorAll(".mention-list").length`))
	b.click(".review .if-comment.btn")
	b.until(`document.querySelector(".timeline .mention")?.textContent === "@Sara Haddad"`)

	b.setCookie(sara.cookie)
	b.visit("/notifications?lang=en")
	require.Equal(t, "1", b.text(".bell .count"))
	for _, look := range []string{"?lang=en&theme=light", "?lang=ar&theme=dark"} {
		for _, w := range []int64{1280, 360} {
			b.width(w)
			b.visit("/notifications" + look)
			b.accessible(look)
			b.picture("notifications-" + url.QueryEscape(look) + map[bool]string{true: "-wide"}[w > 360])
		}
	}
	b.width(1280)
	b.visit("/notifications?lang=en")
	b.click(".notices a[data-read]")
	b.until(`location.search.includes("claim=2") && document.querySelector(".bell")`)
	b.visit("/notifications?unread=1")
	require.Contains(t, b.text("main"), "No notifications")
}
