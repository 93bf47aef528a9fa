package packs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	nethtml "golang.org/x/net/html"

	"sanad/internal/handlers/webtest"
)

// barOf returns what the bar at the end of a pack's page says, and its actions: "Waiting for X | Return with reasons".
func barOf(t *testing.T, page string) string {
	t.Helper()
	at := strings.Index(page, `class="next-bar`)
	if at < 0 {
		return ""
	}
	root, err := nethtml.Parse(strings.NewReader(page[strings.LastIndex(page[:at], "<"):]))
	require.NoError(t, err)
	var out []string
	for n := range root.Descendants() {
		if n.Type == nethtml.ElementNode && (n.Data == "p" || n.Data == "a" || n.Data == "button") && len(out) < 3 &&
			n.FirstChild != nil && inBar(n) {
			out = append(out, strings.Join(strings.Fields(n.FirstChild.Data), " "))
		}
	}
	return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(strings.Join(out, " | "))
}

func inBar(n *nethtml.Node) bool {
	for ; n != nil; n = n.Parent {
		for _, a := range n.Attr {
			if a.Key == "class" && strings.HasPrefix(a.Val, "next-bar") {
				return true
			}
		}
	}
	return false
}

// TestBarForEveryoneInEveryState follows a pack that needs two approvers through its life: at each step the bar has the
// one action that a reader can take now, or says for whom the pack waits.
func TestBarForEveryoneInEveryState(t *testing.T) {
	s := webtest.NewServer(t)
	for _, who := range []string{"viewer", "reviewer", "approver", "admin"} {
		s.Person(who) // all are there from the start: packs name those who may approve
	}
	bars := func(step, id string, want map[string]string) {
		t.Helper()
		for who, pattern := range want {
			status, page := s.Page(who, "/packs/"+id)
			require.Equal(t, 200, status)
			require.Regexp(t, "^"+pattern+"$", barOf(t, page), "%s, for the %s", step, who)
		}
	}
	waits := func(more string) string { return `Waiting for .+\.` + more }
	draft := s.Draft("dec-1", "A3")
	broken := s.API("reviewer", "PATCH", "/packs/"+draft.PackID, `{"memo":{"title_ar":""}}`, "If-Match", "*")(200)
	bars("a broken draft", draft.PackID, map[string]string{"viewer": waits(""), "reviewer": `.*must be met.* \| Edit draft`})
	s.API("reviewer", "PATCH", "/packs/"+broken.PackID, `{"memo":{"title_ar":"عنوان"}}`, "If-Match", "*")(200)
	bars("a sound draft", draft.PackID, map[string]string{"viewer": waits(""),
		"reviewer": `Every rule is met\. \| Edit draft \| Submit for review`})

	p := s.API("reviewer", "POST", "/packs/"+draft.PackID+"/submit", "")(200)
	bars("in review", p.PackID, map[string]string{"viewer": waits(""), "reviewer": waits(""),
		"approver": `After you, one more .+ \| Return with reasons \| Approve as the first of two…`,
		"admin":    `After you, one more .+ \| Return with reasons \| Approve as the first of two…`})

	s.API("approver", "POST", "/packs/"+p.PackID+"/approve", webtest.ApprovalOf(p))(200)
	bars("signed by one of two", p.PackID, map[string]string{"viewer": waits(""), "reviewer": waits(""),
		"approver": `You have signed this version\. Waiting for .+\. \| Return with reasons`,
		"admin":    `Your signature is the last .+ \| Return with reasons \| Sign off pack…`})
	status, page := s.Page("approver", "/packs/"+p.PackID+"?done=approved")
	require.Equal(t, 200, status)
	require.Contains(t, page, "just-signed")
	require.Contains(t, page, "Waiting for", "who comes next")

	s.API("admin", "POST", "/packs/"+p.PackID+"/approve", webtest.ApprovalOf(p))(200)
	bars("signed off", p.PackID, map[string]string{"viewer": `.*signed and sealed\. \| Request a copy`,
		"reviewer": `.*signed and sealed\. \| Request a copy`, "approver": `.*signed and sealed\. \| Export pack`,
		"admin": `.*signed and sealed\. \| Export pack`})

	r := s.InReview("dec-2", "A2")
	require.Equal(t, 303, s.As("approver").Post("/packs/"+r.PackID+"/return",
		webtest.Form("revision", webtest.RevisionOf(r), "reason", "Not yet.")).Code)
	bars("returned", r.PackID, map[string]string{"viewer": `Waiting for .+ to create a new version\.`,
		"reviewer": `Returned: .+ \| Create a new version`, "approver": `Waiting for .+ to create a new version\.`})
	w := s.As("reviewer").Post("/packs/"+r.PackID+"/versions", "")
	require.Equal(t, 303, w.Code)
	bars("returned, with a new version", r.PackID, map[string]string{"viewer": `Returned: .+ \| Open the newer version`,
		"reviewer": `Returned: .+ \| Open the newer version`})

	gone := s.Draft("dec-3", "A2")
	require.Equal(t, 303, s.As("reviewer").Post("/packs/"+gone.PackID+"/discard",
		webtest.Form("revision", webtest.RevisionOf(gone), "reason", "A mistake.")).Code)
	bars("discarded", gone.PackID, map[string]string{"viewer": "", "reviewer": "", "admin": ""})
}
