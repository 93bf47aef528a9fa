package web

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is kept takes no more than its budget: those asked for last stay, and one that would take most of it is left out.
func TestKeptPagesHaveABudget(t *testing.T) {
	require.Nil(t, newKeptPages(-1))
	require.Equal(t, defaultKeep, newKeptPages(0).limit)
	k := newKeptPages(100_000)
	page := func(size int) *keptPage { return newKeptPage("login", make([]byte, size), []byte("end")) }
	for i := range 200 {
		k.put(fmt.Appendf(nil, "page %d", i), page(1000))
		require.NotNil(t, k.get([]byte("page 0")), "asked for after each other")
		require.LessOrEqual(t, k.bytes, k.limit)
	}
	require.NotNil(t, k.get([]byte("page 199")))
	require.Nil(t, k.get([]byte("page 100")))
	require.Len(t, k.of, k.used.Len())
	sum := 0
	for e := k.used.Front(); e != nil; e = e.Next() {
		x := e.Value.(*keptEntry)
		sum += x.of.size() + 2*len(x.key)
	}
	require.Equal(t, sum, k.bytes)
	k.put([]byte("large"), page(6000))
	require.Nil(t, k.get([]byte("large")))
}

// Pages of two logins have different ETags, even if they are the same.
func TestKeptPagesOfTwoLogins(t *testing.T) {
	a, b := newKeptPage("a", []byte("head"), []byte("tail")), newKeptPage("b", []byte("head"), []byte("tail"))
	require.NotEqual(t, a.tag, b.tag)
	require.NotEqual(t, a.tag, newKeptPage("a", []byte("head "), []byte("tail")).tag)
}

// A page is compressed in pieces, which another page that has them too shares, and which together are the page.
func TestPagesAreCompressedInPieces(t *testing.T) {
	k := newKeptPages(0)
	rows := strings.Repeat("<tr><td>15 days</td></tr>", 400)
	page := func(name string) []byte {
		return []byte("<head>" + strings.Repeat("<link>", 600) + `</head><header class="top">` + name + `<main id="main">` +
			strings.Repeat("<b>", 10) + "<tbody>" + rows + "</tbody>" + strings.Repeat("<p>"+name+"</p>", 500))
	}
	unpacked := func(html []byte) []byte {
		var out bytes.Buffer
		k.deflate(&out, html)
		out.Write(lastBlock)
		back, err := io.ReadAll(flate.NewReader(&out))
		require.NoError(t, err)
		return back
	}
	for i, html := range [][]byte{page("Noura"), page("Huda"), page("Noura"), nil, []byte("short"), page("")} {
		require.Equal(t, string(html), string(unpacked(html)), i)
	}
	var pieces []string
	cutPieces(page("Noura"), func(p []byte) { pieces = append(pieces, string(p)) })
	require.Len(t, pieces, 3)
	require.Equal(t, "<tbody>"+rows, pieces[1][strings.Index(pieces[1], "<tbody>"):])
	require.Equal(t, string(page("Noura")), strings.Join(pieces, ""))
}
