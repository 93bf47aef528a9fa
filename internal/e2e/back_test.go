package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Nobody who presses Back after signing out sees a ledger page: not where the page has scripts, and not where it has
// none.
func TestBackAfterSigningOut(t *testing.T) {
	t.Parallel()
	const back = `(window.left = true, history.back(), true)` // so that the page that is left is not taken for the next
	const signIn = `!window.left && document.readyState == "complete" && location.pathname == "/login" &&
		document.querySelector("#l-n")`
	a := startApp(t)
	for _, scripts := range []bool{true, false} {
		b := open(t, a)
		b.setCookie(a.member(t, map[bool]string{true: "with", false: "without"}[scripts], "Salem", "reviewer").cookie)
		if !scripts {
			b.withoutScripts()
		}
		b.visit(a.session("leave-policy.json"))
		b.visit("/sessions")
		eval[bool](b, back)
		b.until(`document.querySelector("#claim-3")`)
		eval[bool](b, `(history.forward(), true)`)
		b.until(`location.pathname == "/sessions" && document.querySelector("details.who")`)
		eval[bool](b, `(document.querySelector("details.who form button").click(), true)`)
		b.until(`location.pathname == "/login" && document.querySelector(".login [role=status]")`)
		for range 2 { // to the list, and to the ledger
			eval[bool](b, back)
			b.until(signIn)
			require.False(t, eval[bool](b, `document.documentElement.innerHTML.includes("claim-3")`))
		}
	}
}
