package ui

import "slices"

// The steps of the demo's guide, in their order. Whether GuideConfirm and GuideOverride are done follows from the
// reviews.
const (
	GuideOpen     = "open"     // the session
	GuideRead     = "read"     // a source at a claim's words
	GuideConfirm  = "confirm"  // a verdict
	GuideOverride = "override" // a verdict, with a note
	GuidePack     = "pack"     // open an evidence pack, or download the ledger if one may
)

// GuideSteps lists them.
var GuideSteps = []string{GuideOpen, GuideRead, GuideConfirm, GuideOverride, GuidePack}

// The claims of the demo's session that the guide leads to: the first has a passage that says it, the third is weak.
const guideReads, guideOverrides = "1", "3"

// GuideInput is how far a reader of the demo has come.
type GuideInput struct {
	Session       string   // id of the session that the guide leads through
	Done, Skipped []string // of GuideSteps
	Hidden        bool     // the reader has hidden it
	Back          string   // address of the page that shows it
}

// Guide leads a newcomer through the demo. It has only the steps that the reader's role may take.
type Guide struct {
	Hidden bool
	Steps  []GuideLine
	At     string // "2 of 5"; at the end, how many steps are done
	Href   string // where the current step is taken, "" if none is left
	Step   string // the current one
	Back   string
}

// GuideLine is one step.
type GuideLine struct {
	Number, Text  string
	State         string // word for done or skipped, "" for neither
	Done, Current bool
}

// Finished reports whether no step is left.
func (g *Guide) Finished() bool { return g.Href == "" }

// guided reports whether a page shows the steps.
func (c *Chrome) guided() bool { return c.Guide != nil && !c.Guide.Hidden }

func (c *Chrome) guide(in *GuideInput) *Guide {
	if in == nil {
		return nil
	}
	g, done := &Guide{Hidden: in.Hidden, Back: in.Back}, 0
	path := "/sessions/" + in.Session
	href := map[string]string{
		GuideOpen: path, GuideRead: path + "?claim=" + guideReads + "#pane",
		GuideConfirm:  path + "?claim=" + guideReads + "#pane",
		GuideOverride: path + "?claim=" + guideOverrides + "#pane", GuidePack: "/packs",
	}
	current := 0
	for _, step := range GuideSteps {
		if (step == GuideConfirm || step == GuideOverride) && !c.May.Review {
			continue
		}
		id := "guide_" + step
		if step == GuidePack && !c.May.Export {
			id = "guide_pack_only"
		}
		l := GuideLine{Number: c.Num(len(g.Steps) + 1),
			Text: c.T(id, "Claim", c.InDigits(guideReads), "Weak", c.InDigits(guideOverrides))}
		switch {
		case slices.Contains(in.Done, step):
			l.Done, l.State = true, c.T("guide_done")
			done++
		case slices.Contains(in.Skipped, step):
			l.State = c.T("guide_skipped")
		case g.Step == "":
			l.Current, g.Step, g.Href, current = true, step, href[step], len(g.Steps)+1
		}
		g.Steps = append(g.Steps, l)
	}
	g.At = c.T("guide_at", "N", c.Num(current), "Total", c.Num(len(g.Steps)))
	if g.Finished() {
		g.At = c.T("guide_through", "N", c.Num(done), "Total", c.Num(len(g.Steps)))
	}
	return g
}
