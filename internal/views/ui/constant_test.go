package ui

import (
	"bytes"
	"context"
	"net/url"
	"testing"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"
)

// A part of the frame that is kept is the one that would be drawn, whoever asks and whatever their page is.
func TestConstantsAreThoseThatWouldBeDrawn(t *testing.T) {
	drawn := func(c templ.Component) string {
		var out bytes.Buffer
		require.NoError(t, c.Render(context.Background(), &out))
		return out.String()
	}
	navs := map[string]bool{}
	for range 2 {
		for _, lang := range []string{"en", "ar"} {
			for i, may := range []May{{}, {Import: true}, {Audit: true, Review: true}, {Import: true, Manage: true, Audit: true}} {
				c := NewChrome(ChromeInput{Lang: lang, Theme: []string{"dark", "auto"}[i%2], Digits: []string{"arab", "latn"}[i/2],
					URL: &url.URL{Path: "/x", RawQuery: "q=%3Cb%3E"}, SignedIn: true, User: "<Noura>", May: may})
				require.Equal(t, drawn(keyDialog(&c)), drawn(keyHelp(&c)))
				require.Equal(t, drawn(paletteDialog(&c)), drawn(palette(&c)))
				for _, current := range []string{"", "sessions", "packs"} {
					nav := drawn(navigation(&c, current))
					require.Equal(t, drawn(navLinks(&c, current)), nav)
					navs[nav] = true
				}
			}
		}
	}
	require.Len(t, navs, 2*4*3)
}
