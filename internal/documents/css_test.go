package documents

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStylesHide holds by what styles a page hides a text, and by what it does not.
func TestStylesHide(t *testing.T) {
	t.Parallel()
	for style, hides := range map[string]bool{
		"clip-path:inset(100%)":                               true,
		"clip-path:inset(0 0 10% 0)":                          false,
		"clip-path:circle(0 at 50% 50%)":                      true,
		"clip-path:circle(50%)":                               false,
		"clip-path:polygon(0 0, 0 0, 0 0)":                    true,
		"clip-path:polygon(0 0, 100% 0, 100% 100%)":           false,
		"text-indent:100%;white-space:nowrap;overflow:hidden": true,
		"text-indent:100%":                                    false,
		"position:absolute;left:-100vw":                       true,
		"position:absolute;left:-100%":                        true,
		"position:absolute;left:-100%;transition:left 1s":     false,
		"position:absolute;left:-9999px;transition:left 1s":   true,
		"position:absolute;left:50000px":                      true,
		"position:absolute;inset:-9999px auto auto -9999px":   true,
		"position:absolute;inset-inline-start:-9999px":        true,
		"position:relative;left:-20px":                        false,
		"translate:-9999px 0":                                 true,
		"transform:translateX(-1000%)":                        true,
		"transform:translateX(-50%)":                          false,
		"transform:scale(0, 0)":                               true,
		"transform:scale(.9)":                                 false,
		"scale:0":                                             true,
		"transform:rotateY(90deg)":                            true,
		"transform:rotate(90deg)":                             false,
		"filter:opacity(0)":                                   true,
		"filter:opacity(.8)":                                  false,
		"zoom:.01":                                            true,
		"color:rgba(9,9,9,0)":                                 true,
		"color:rgb(0 0 0 / 0%)":                               true,
		"color:#12345600":                                     true,
		"color:#0000":                                         true,
		"color:#ffff":                                         true,
		"color:rgb(100%,100%,100%)":                           true,
		"color:hsl(200, 50%, 100%)":                           true,
		"color:hsl(200, 50%, 30%)":                            false,
		"color:white;background:teal":                         false,
		"color:teal;background:teal":                          true,
		"--ink:#fff;color:var(--ink)":                         true,
		"color:var(--none, white)":                            true,
		"color:var(--none)":                                   false,
		"-webkit-text-fill-color:transparent":                 true,
		"-webkit-text-fill-color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text": false,
		"position:absolute;color:#fff": true,
	} {
		text, left := readSeen(t, "a.html", `<body><p>Fine.</p><p style="`+style+`">Dogs are free.</p></body>`)
		require.Equal(t, hides, !strings.Contains(text, "Dogs"), style)
		require.Equal(t, hides, len(left) == 1, style)
	}
}

// TestRulesHide holds which rules of a style sheet hide a text, and which parts a reader can open.
func TestRulesHide(t *testing.T) {
	t.Parallel()
	const dogs = "Dogs are free."
	for name, c := range map[string]struct {
		page  string
		hides bool
	}{
		"a range of widths":                {`<style>@media (width >= 600px){.a{display:none}}</style><p class=a>`, true},
		"a range on both sides":            {`<style>@media (300px < width < 900px){.a{display:none}}</style><p class=a>`, false},
		"one of several":                   {`<style>:is(.x, .y) p{display:none}</style><div class=y><p>`, true},
		"one of several within":            {`<style>div:where(.x, .y) > :is(b, i){display:none}</style><div class=y><i>`, true},
		"a property of the page":           {`<style>:root{--off:none}.a{display:var(--off)}</style><p class=a>`, true},
		"a property of its own":            {`<style>:root{--off:none}.a{--off:block;display:var(--off)}</style><p class=a>`, false},
		"styles for pages without scripts": {`<noscript><style>.a{display:none}</style></noscript><p class=a>`, false},
		"a box that is ticked":             {`<style>.a{display:none}#b:checked ~ .a{display:block}</style><input type=checkbox id=b><p class=a>`, false},
		"a place that is led to":           {`<style>.a{display:none}.a:target{display:block}</style><p class=a>`, false},
		"below the mouse":                  {`<style>.a{display:none}li:hover > .a{display:block}</style><ul><li><b class=a>`, false},
		"only itself below the mouse":      {`<style>.a{display:none}.a:hover{display:block}</style><p class=a>`, true},
		"a class that scripts add":         {`<script>go()</script><style>.a{display:none}.q.is-open .a{display:block}</style><div class=q><p class=a>`, false},
		"the same without scripts":         {`<style>.a{display:none}.q.is-open .a{display:block}</style><div class=q><p class=a>`, true},
		"a class of others":                {`<script>go()</script><style>.a{display:none}.q.open .b{display:block}</style><div class=q><p class=a>`, true},
		"a class that scripts remove":      {`<script>go()</script><style>.a:not(.active){display:none}</style><p class=a>`, false},
		"a class for anything":             {`<script>go()</script><style>.a{display:none}.open{display:block}</style><p class=a>`, true},
		"behind a button":                  {`<script>go()</script><style>.a{max-height:0;overflow:hidden}</style><button class=accordion>More</button><p class=a>`, false},
		"named by a click":                 {`<a onclick="show('k7')">More</a><p id=k7 style="display:none">`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, left := readSeen(t, "a.html", "<body><h1>Fine.</h1>"+c.page+dogs)
			require.Equal(t, c.hides, !strings.Contains(text, dogs))
			require.Equal(t, c.hides, len(left) == 1)
		})
	}
}

// TestPagesKeepWordsApart holds how a page's styles raise, strike and part words.
func TestPagesKeepWordsApart(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		`<p>A bed is 70<span style="vertical-align:super;font-size:60%">3</span> euros.</p>`:                                                                           "A bed is 70 euros.",
		`<style>.n{font-size:.7em;position:relative;top:-.4em}</style><p>10<i class=n>6</i> stars</p>`:                                                                 "10^6 stars",
		`<p>x<span style="position:relative;top:-1px">5</span></p>`:                                                                                                    "x5",
		`<p>Bed <s style="text-decoration:none">70</s> euros, <del style="text-decoration:none">60</del> in May.</p>`:                                                  "Bed 70 euros, in May.",
		`<p style="text-decoration:line-through">60 <b style="display:inline-block">70</b></p>`:                                                                        "70",
		`<div style="display:flex"><span>Bed</span><span>70</span></div>`:                                                                                              "Bed 70",
		`<p>Bed<span style="display:block">70 euros</span></p>`:                                                                                                        "Bed 70 euros",
		`<p>In <st1:city>Bonn</st1:city> it rains.<o:p></o:p></p>`:                                                                                                     "In Bonn it rains.",
		`<p>hand&shy;book, <q>so</q>, <ruby>東<rp>(</rp><rt>to</rt><rp>)</rp></ruby>京</p>`:                                                                              "handbook, “so”, 東京",
		`<p>With <script type="math/tex">a^2</script> beds.</p>`:                                                                                                       "With a^2 beds.",
		`<p>Cube <math><mroot><mn>8</mn><mn>3</mn></mroot><mo>=</mo><mroot><mn>9</mn><mn>12</mn></mroot></math></p>`:                                                   "Cube ∛8 = ¹²√9",
		`<div role=table><div role=row><b role=columnheader>Bed</b><b role=columnheader>Euros</b></div><div role=row><b role=cell>A</b><b role=cell>7</b></div></div>`: "| Bed | Euros |\n|---|---|\n| A | 7 |",
		`<style>.t{display:table}.t p{display:table-row}.t b{display:table-cell}</style><div class=t><p><b>Bed</b><b>Euros</b></p><p><b>A</b><b>7</b></p></div>`:       "| Bed | Euros |\n|---|---|\n| A | 7 |",
		`<style>.t{display:table}.t b{display:table-cell}</style><div class=t><b>Menu</b><b>Bed</b></div>`:                                                             "Menu Bed",
		`<button class="faq-toggle">Who pays?</button><p>Guests.</p>`:                                                                                                  "Who pays?\nGuests.",
	} {
		text, _ := readSeen(t, "a.html", "<body>"+page+"</body>")
		require.Equal(t, want, strings.ReplaceAll(text, "  ", " "), page)
	}
}
