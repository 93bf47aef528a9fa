package ocr

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"sanad/internal/domain/text"
)

// TestMeasured prints how well pages of our own are read that were printed, skewed and noisy (docs/ocr.md). It takes
// minutes and needs Chromium: .ci/ocr runs it.
func TestMeasured(t *testing.T) {
	if os.Getenv("SANAD_OCR") == "" {
		t.Skip("run it by .ci/ocr")
	}
	fmt.Println("| pages | dpi | condition | words | right | CER | wrong words marked | right words marked | figures " +
		"| wrong | wrong, not marked |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|")
	for _, lang := range []string{"en", "ar", "ar, digits 0–9"} {
		said := ownWords(t, lang)
		file := printed(t, lang, said)
		var all tally
		for _, dpi := range []int{150, 200, 300} {
			for _, c := range conditions {
				n := measured(t, file, said, dpi, c)
				n.print(fmt.Sprintf("%s | %d | %s", lang, dpi, c.name))
				all.add(n)
			}
		}
		all.print("**" + lang + "** | all | all")
	}
}

// measuredPages is how many pages of each language are read.
const measuredPages = 3

// measured reads the pages of a file in a condition.
func measured(t *testing.T, file string, said []string, dpi int, c condition) tally {
	read := make([][]readWord, measuredPages)
	var pages sync.WaitGroup
	for n := range read {
		pages.Go(func() {
			if g := rendered(t, file, n+1, dpi); g != nil {
				read[n] = readWords(t, c.apply(g, rand.New(rand.NewPCG(uint64(n), uint64(dpi)))))
			}
		})
	}
	pages.Wait()
	var got []readWord
	for _, words := range read {
		got = append(got, words...)
	}
	return compared(said, got)
}

// condition is what a page went through before it was scanned.
type condition struct {
	name  string
	skew  float64 // degrees
	noise float64 // standard deviation of the shades
	blur  bool
	jpeg  int     // quality, 0 for none
	fade  float64 // contrast that is left, 0 for all
}

var conditions = []condition{
	{name: "printed"}, {name: "skewed by 1°", skew: 1}, {name: "skewed by 3°", skew: -3},
	{name: "noise", noise: 20, blur: true}, {name: "JPEG 20", jpeg: 20},
	{name: "all of it, faded", skew: 1.5, noise: 12, blur: true, jpeg: 40, fade: 0.7},
}

func (c condition) apply(g *gray, r *rand.Rand) *gray {
	if c.skew != 0 {
		g = g.rotated(c.skew)
	}
	if c.blur {
		out := &gray{w: g.w, h: g.h, pix: make([]uint8, len(g.pix))}
		for y := range g.h {
			for x := range g.w {
				out.pix[y*g.w+x] = g.mean(max(x-1, 0), max(y-1, 0), min(x+2, g.w), min(y+2, g.h))
			}
		}
		g = out
	}
	for i, p := range g.pix {
		v := float64(p)
		if c.fade > 0 {
			v = 110 + (v-110)*c.fade
		}
		g.pix[i] = uint8(min(max(v+r.NormFloat64()*c.noise, 0), white))
	}
	if c.jpeg > 0 {
		var b bytes.Buffer
		img := &image.Gray{Pix: g.pix, Stride: g.w, Rect: image.Rect(0, 0, g.w, g.h)}
		_ = jpeg.Encode(&b, img, &jpeg.Options{Quality: c.jpeg})
		back, _ := jpeg.Decode(&b)
		g = grayOf(back)
	}
	return g
}

// ownWords are the paragraphs of the documents of a demo.
func ownWords(t *testing.T, lang string) (out []string) {
	var file struct {
		Documents []struct {
			Text   string
			Pages  []struct{ Text string }
			Chunks []struct{ Text string }
		}
	}
	name := "procurement-ar.json"
	if lang == "en" {
		name = "vendor-review.json"
	}
	data, err := os.ReadFile(filepath.Join("..", "..", "cmd", "web", "demo", name))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &file))
	add := func(s string) {
		if strings.HasSuffix(lang, "0–9") {
			s = western.Replace(s)
		}
		for line := range strings.Lines(s) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "|") {
				out = append(out, strings.NewReplacer("**", "", "`", "").Replace(strings.TrimLeft(line, "#*- ")))
			}
		}
	}
	for _, d := range file.Documents {
		add(d.Text)
		for _, p := range append(d.Pages, d.Chunks...) {
			add(p.Text)
		}
	}
	return out
}

var western = strings.NewReplacer("٠", "0", "١", "1", "٢", "2", "٣", "3", "٤", "4", "٥", "5", "٦", "6", "٧", "7",
	"٨", "8", "٩", "9", "٪", "%", "٫", ".", "٬", ",")

// printed prints paragraphs with Chromium.
func printed(t *testing.T, lang string, said []string) string {
	dir, font := "ltr", "DejaVu Serif"
	if lang != "en" {
		dir, font = "rtl", "Noto Naskh Arabic"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><html dir=%s><meta charset=utf-8>"+
		"<style>@page{size:A4;margin:2cm}body{font:11pt '%s'}</style>", dir, font)
	for _, p := range said {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(p))
	}
	page := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(page, []byte(b.String()), 0o600))
	out, err := exec.Command("chromium", "--headless", "--no-sandbox", "--no-pdf-header-footer",
		"--print-to-pdf="+page+".pdf", page).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return page + ".pdf"
}

// rendered is a page as a scanner sees it; nil if none.
func rendered(t *testing.T, file string, n, dpi int) *gray {
	page := strconv.Itoa(n)
	out, err := exec.Command("pdftoppm", "-gray", "-r", strconv.Itoa(dpi), "-f", page, "-l", page, file).Output()
	if err != nil {
		return nil
	}
	img, err := decodePGM(bytes.NewReader(out))
	require.NoError(t, err)
	return grayOf(img)
}

type readWord struct {
	text     string
	doubtful bool
}

// readWords reads a page as a file's is read.
func readWords(t *testing.T, g *gray) (out []readWord) {
	ready, err := Prepare(g.pgm(), 1)
	require.NoError(t, err)
	c := exec.Command("tesseract", wordArgs(AllLanguages)...)
	c.Env, c.Stdin = append(os.Environ(), "OMP_THREAD_LIMIT=1"), bytes.NewReader(ready)
	tsv, err := c.Output()
	require.NoError(t, err)
	pages, err := FromTSV(tsv)
	require.NoError(t, err)
	for _, page := range pages {
		for _, p := range page.Paragraphs {
			at := 0
			for _, w := range strings.Split(p.Text, " ") {
				doubtful := false
				for _, d := range p.Doubtful {
					doubtful = doubtful || d.Start == at
				}
				out = append(out, readWord{alike(w), doubtful})
				at += text.Len(w) + 1
			}
		}
	}
	return out
}

// alike writes in one way what is the same to a reader.
func alike(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFC.String(s))
	return strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "—", "-", "–", "-", "−", "-", "،", ",").Replace(s)
}

// tally counts words.
type tally struct {
	words, right, wrongMarked, rightMarked int
	figures, wrongFigures, wrongSure       int
	letters, errors                        int
}

func (a *tally) add(b tally) {
	a.words, a.right = a.words+b.words, a.right+b.right
	a.wrongMarked, a.rightMarked = a.wrongMarked+b.wrongMarked, a.rightMarked+b.rightMarked
	a.figures, a.wrongFigures, a.wrongSure = a.figures+b.figures, a.wrongFigures+b.wrongFigures, a.wrongSure+b.wrongSure
	a.letters, a.errors = a.letters+b.letters, a.errors+b.errors
}

func (a *tally) print(name string) {
	share := func(n, of int) string {
		if of == 0 {
			return "–"
		}
		return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
	}
	wrong := a.words - a.right
	fmt.Printf("| %s | %d | %s | %s | %s of %d | %s | %d | %d | %d |\n", name, a.words, share(a.right, a.words),
		share(a.errors, a.letters), share(a.wrongMarked, wrong), wrong, share(a.rightMarked, a.right),
		a.figures, a.wrongFigures, a.wrongSure)
}

// compared counts the words that were read against those that were printed, which go on behind the pages that were
// read.
func compared(said []string, got []readWord) (n tally) {
	var truth []string
	for _, p := range said {
		for _, w := range strings.Fields(p) {
			truth = append(truth, alike(w))
		}
	}
	truth = truth[:min(len(truth), len(got)+len(got)/3+50)]
	same := aligned(truth, got)
	last := 0
	for i, w := range got {
		right, figure := same[i] >= 0, strings.ContainsFunc(w.text, unicode.IsDigit)
		n.words++
		switch {
		case right:
			n.right, last = n.right+1, same[i]+1
		case w.doubtful:
			n.wrongMarked++
		}
		if right && w.doubtful {
			n.rightMarked++
		}
		if figure {
			n.figures++
		}
		if figure && !right {
			n.wrongFigures++
		}
		if figure && !right && !w.doubtful {
			n.wrongSure++
		}
	}
	var read []string
	for _, w := range got {
		read = append(read, w.text)
	}
	a, b := []rune(strings.Join(truth[:last], " ")), []rune(strings.Join(read, " "))
	n.letters, n.errors = len(a), distance(a, b)
	return n
}

// aligned returns for each word that was read the index of the printed word that it is, -1 if it is none.
func aligned(truth []string, got []readWord) []int {
	most := make([][]int32, len(got)+1)
	for i := range most {
		most[i] = make([]int32, len(truth)+1)
	}
	for i := len(got) - 1; i >= 0; i-- {
		for j := len(truth) - 1; j >= 0; j-- {
			if most[i][j] = max(most[i+1][j], most[i][j+1]); got[i].text == truth[j] {
				most[i][j] = most[i+1][j+1] + 1
			}
		}
	}
	out := make([]int, len(got))
	for i, j := 0, 0; i < len(got); i++ {
		out[i] = -1
		for j < len(truth) && most[i][j] != most[i+1][j] && got[i].text != truth[j] {
			j++
		}
		if j < len(truth) && got[i].text == truth[j] {
			out[i] = j
			j++
		}
	}
	return out
}

// distance is how many letters must be put in, left out or changed.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before := row[0]
		row[0] = i + 1
		for j := range b {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
