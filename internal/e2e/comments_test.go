package e2e

import (
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"
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

// TestCommentByKeys comments on a claim by its key, without the list of people taking the click that follows a name; the
// form is sent from its checkbox too.
func TestCommentByKeys(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	a.member(t, "sara", "Sara Haddad · سارة حداد", access.Reviewer)
	b := open(t, a)
	b.visit(a.session("leave-policy.json") + "/claims/2?lang=en")
	b.keys("m")
	b.until(`document.activeElement.id === "r-r" && document.querySelector(".review input[value=comment]").checked`)
	b.keys("Is it right, @Sara Haddad")
	require.Zero(t, eval[int](b, `document.querySelectorAll(".mention-list").length`), "the name is whole in one language")
	b.keys(" or @Sar")
	b.until(`document.querySelector(".mention-list")`)
	b.click(`.review input[name="asks"]`)
	b.until(`document.querySelector(".review input[name=asks]").checked && !document.querySelector(".mention-list")`)
	b.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.until(`document.querySelector(".timeline .mention")?.textContent === "@Sara Haddad · سارة حداد"`)
	require.NotContains(t, b.text(".timeline .said"), "حداد Haddad")
	require.Equal(t, 1, eval[int](b, `document.querySelectorAll(".timeline .mention").length`))
	b.until(`document.body.textContent.includes("Open thread")`)
}

// TestThreadsOfComments asks on a claim, answers beside the question, and resolves the thread, which head, row and list
// count until then; the same on a pack, where it is an alarm.
func TestThreadsOfComments(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	sara := a.member(t, "sara", "Sara Haddad", access.Reviewer)
	session := a.session("leave-policy.json")
	b := open(t, a)
	b.visit(session + "/claims/2?lang=en")
	b.click(`.review input[value="comment"]`)
	b.click("#r-r")
	b.keys("Is this the policy of 2024?")
	b.click(`.review input[name="asks"]`)
	b.click(".review .if-comment.btn")
	b.until(`document.querySelector(".timeline .was.stale")?.textContent === "Open thread"`)
	b.setCookie(sara.cookie)
	b.visit(session + "?lang=en&claim=2")
	require.Contains(t, b.text("#progress"), "1 open thread")
	b.visit(session + "/claims/2?lang=en")
	b.click(".timeline details summary")
	b.click(".timeline textarea")
	b.keys("It is that of 2023.")
	b.accessible("a reply")
	b.picture("thread-reply")
	b.click(".timeline details .btn")
	b.until(`document.querySelector(".timeline .timeline .said")?.textContent.includes("2023")`)
	for _, look := range []string{"?lang=en&theme=light", "?lang=ar&theme=dark"} {
		for _, w := range []int64{1280, 360} {
			b.width(w)
			b.visit(session + "/claims/2" + look)
			b.accessible(look)
			b.picture("thread-" + url.QueryEscape(look) + map[bool]string{true: "-wide"}[w > 360])
		}
	}
	b.width(1280)
	b.visit(session + "/claims/2?lang=en")
	b.click(`.timeline form:has([value="resolve"]) .btn`)
	b.until(`document.querySelector(".timeline form:has([value=reopen])")`)
	b.visit("/sessions?lang=en&threads=1")
	require.NotContains(t, b.text("main"), "1 open thread")
}
