// Package viewtest has what tests of pages share.
package viewtest

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"
	nethtml "golang.org/x/net/html"

	"sanad/internal/views/ui"
	"sanad/internal/words"
)

// ChromeAt is the chrome of a request to an address.
func ChromeAt(lang, address string) ui.Chrome {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return ui.NewChrome(ui.ChromeInput{
		Lang: lang, Theme: "auto", Digits: "latn", URL: u, Now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC),
	})
}

// Html draws a component.
func Html(t *testing.T, c templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, c.Render(context.Background(), &b))
	return b.String()
}

// parsed returns the nodes of a page.
func parsed(t *testing.T, page string) *nethtml.Node {
	t.Helper()
	doc, err := nethtml.Parse(strings.NewReader(page))
	require.NoError(t, err)
	return doc
}

// ByID returns the text of the element with an id; it must be there once.
func ByID(t *testing.T, page, id string) string {
	t.Helper()
	var found []*nethtml.Node
	for n := range parsed(t, page).Descendants() {
		for _, a := range n.Attr {
			if a.Key == "id" && a.Val == id {
				found = append(found, n)
			}
		}
	}
	require.Len(t, found, 1, id)
	var b strings.Builder
	for n := range found[0].Descendants() {
		if n.Type == nethtml.TextNode {
			b.WriteString(n.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// ByClass returns the elements that have a class.
func ByClass(t *testing.T, page, class string) (found []*nethtml.Node) {
	t.Helper()
	for n := range parsed(t, page).Descendants() {
		for _, a := range n.Attr {
			if a.Key == "class" && slices.Contains(strings.Fields(a.Val), class) {
				found = append(found, n)
			}
		}
	}
	return found
}

// VisibleText returns the words of an element.
func VisibleText(n *nethtml.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == nethtml.TextNode {
			b.WriteString(c.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// HasWords fails if a value of a family has no English message. Package words tests that Arabic has the same messages.
func HasWords(t *testing.T, families map[string][]string) {
	t.Helper()
	for prefix, values := range families {
		for _, v := range values {
			require.True(t, words.In("en").Has(prefix+v), prefix+v)
		}
	}
}
