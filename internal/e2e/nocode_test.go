package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSwappedPagesRunNoCode checks that htmx runs no code from attributes and inserts no script of what it swaps in,
// the more so as a script from this host would pass the content security policy (rule SEC-7).
func TestSwappedPagesRunNoCode(t *testing.T) {
	t.Parallel()
	b := open(t, startApp(t))
	b.visit("/sessions?lang=en")
	b.until(`window.htmx !== undefined`)
	eval[bool](b, `(window.faults = [], document.addEventListener("htmx:error", e => faults.push(String(e.detail.error))),
		document.getElementById("main").insertAdjacentHTML("beforeend", "<div id=here></div>"), true)`)
	eval[bool](b, `(htmx.swap({ target: "#here", swap: "innerHTML", sourceElement: document.body,
		text: '<p id=in>in</p><scr' + 'ipt src="/static/app.js?again"></scr' + 'ipt><button id=on hx-on:click="window.ran = true">b</button>' }), true)`)
	b.until(`document.getElementById("on")?._htmx !== undefined`)
	require.Zero(t, eval[int](b, `document.querySelectorAll("#here script").length`))
	eval[bool](b, `(document.getElementById("on").click(), true)`)
	b.until(`faults.length > 0`)
	require.Contains(t, eval[string](b, `faults[0]`), "htmx may not run code from attributes")
	require.True(t, eval[bool](b, `window.ran === undefined`))
}
