// Package gallery draws every component in each of its states.
package gallery

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	nethtml "golang.org/x/net/html"

	"sanad/internal/domain/access"
	"sanad/internal/views/ui"
)

// Page shows the components of the pages in each of their states, for developers. Its own words are English in both
// languages, because only the demo serves it.
type Page struct {
	ui.Chrome
	Contents []ui.Option // every part: its name and title
	Parts    []Part
}

// Part is a group of components.
type Part struct {
	Name, Title string
	Samples     []Sample
}

// Sample is one component in one state.
type Sample struct {
	ID, State string
	Body      templ.Component
}

// galleryParts lists the groups in the order of the page; each is in its own file.
var galleryParts = []struct {
	name, title string
	samples     func(c *ui.Chrome) []Sample
}{
	{"marks", "Verdicts, states and bars", galleryMarks},
	{"ledger", "Ledger table, filters and answer", galleryLedger},
	{"claim", "The opened claim", galleryClaim},
	{"checks", "What the answer cites and quotes", galleryChecks},
	{"decision", "Deciding a claim", galleryDecision},
	{"review", "Review: panel, flags, timeline, confirming many", galleryReview},
	{"lists", "Lists, charts and empty states", galleryLists},
	{"library", "The library", galleryLibrary},
	{"forms", "Fields and forms", galleryForms},
	{"messages", "Messages, toasts and error pages", galleryMessages},
	{"jobs", "Work in the background", galleryJobs},
	{"packs", "Evidence packs and the log", galleryPacks},
	{"mail", "Notifications by e-mail", galleryMail},
	{"trust", "What a signature stands on", galleryTrust},
	{"models", "Endpoints of models", galleryModels},
}

// Parts names the groups.
func Parts() []string {
	var out []string
	for _, p := range galleryParts {
		out = append(out, p.name)
	}
	return out
}

// NewPage lays out the part of the gallery with a name, or all of it for "". It returns nil for an unknown part. Pure.
func NewPage(c ui.Chrome, part string) *Page {
	p := &Page{Chrome: c}
	reader := c
	reader.SignedIn, reader.User, reader.Role, reader.Now, reader.May = true, "Noura Al-Harbi", access.Admin, galleryDay, mayAll
	n := 0
	for _, x := range galleryParts {
		p.Contents = append(p.Contents, ui.Option{Value: x.name, Label: x.title, Selected: x.name == part})
		if part != "" && part != x.name {
			continue
		}
		samples := x.samples(&reader)
		for i := range samples {
			n++
			samples[i].ID = "s" + strconv.Itoa(n)
			samples[i].Body = isolate(samples[i])
		}
		p.Parts = append(p.Parts, Part{x.name, x.title, samples})
	}
	if p.Parts == nil {
		return nil
	}
	return p
}

// galleryDay is the time of everything in the samples.
var galleryDay = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// mayAll is what an administrator may do.
var mayAll = ui.May{
	Import: true, Review: true, Assign: true, Export: true, Manage: true, Audit: true, DraftPack: true,
	DecidePack: true, ExportPack: true, HoldPack: true, PurgePack: true, ConfirmPurge: true,
	ReadLibrary: true, ChangeLibrary: true, CopyFile: true, CopyLibrary: true,
}

// Texts that break layouts made for short ones.
var (
	hugeWord = strings.Repeat("Donaudampfschifffahrtsgesellschaft", 9)
	hugeText = strings.TrimSpace(strings.Repeat("Employees in the logistics, transport and warehousing departments receive leave by rules of their own. ", 14))
	rtlText  = "يستحق الموظف الدائم إجازة سنوية مدفوعة الأجر مدتها 15 يومًا وفق الملحق (B) من Leave_Policy.pdf، ويجوز ترحيل 5 أيام منها."
)

// references lists the attributes that name elements of the same page by their ids.
var references = []string{"for", "form", "list", "aria-labelledby", "aria-describedby", "aria-controls", "data-copy"}

// landmarks lists the elements by which a screen reader lists a page's regions, where no two may have one name.
var landmarks = []string{"section", "nav", "aside", "form"}

// isolate draws a sample so that several can be on one page: its ids are prefixed, its regions have the name of its
// state in their label, and scripts are left out, because nothing in the gallery continues.
func isolate(s Sample) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var drawn bytes.Buffer
		if err := s.Body.Render(ctx, &drawn); err != nil {
			return err
		}
		z, inScript := nethtml.NewTokenizer(&drawn), false
		for {
			kind := z.Next()
			if kind == nethtml.ErrorToken {
				if err := z.Err(); !errors.Is(err, io.EOF) {
					return err
				}
				return nil
			}
			raw := slices.Clone(z.Raw())
			if kind == nethtml.StartTagToken || kind == nethtml.SelfClosingTagToken || kind == nethtml.EndTagToken {
				t := z.Token()
				if t.Data == "script" {
					inScript = kind == nethtml.StartTagToken
					continue
				}
				if s.rename(&t) {
					raw = []byte(t.String())
				}
			}
			if inScript {
				continue
			}
			if _, err := w.Write(raw); err != nil {
				return err
			}
		}
	})
}

// rename prefixes the ids in a tag and extends its label, and reports whether it changed anything.
func (s Sample) rename(t *nethtml.Token) bool {
	changed := false
	for i := range t.Attr {
		a := &t.Attr[i]
		region := slices.Contains(landmarks, t.Data)
		switch {
		case a.Key == "id":
			a.Val = s.ID + "-" + a.Val
		case slices.Contains(references, a.Key):
			ids := strings.Fields(a.Val)
			for j := range ids {
				ids[j] = s.ID + "-" + ids[j]
			}
			if region && a.Key == "aria-labelledby" {
				ids = append(ids, s.ID)
			}
			a.Val = strings.Join(ids, " ")
		case region && a.Key == "aria-label":
			a.Val += " · " + s.State
		default:
			continue
		}
		changed = true
	}
	return changed
}
