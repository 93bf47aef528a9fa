package packs

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// pageOf draws a page of a pack.
type pageOf func(*packsviews.Page) templ.Component

// showPack shows a pack, or its tombstone if it was purged.
func (s *server) showPack(c echo.Context) error {
	err := s.packPage(c, http.StatusOK, nil)
	if domain.KindOf(err) != domain.NotFound || !pack.CheckID(c.Param("id")) {
		return err
	}
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	stone, gone := s.Store.Tombstone(ctx, tenant, c.Param("id"))
	if gone != nil {
		return err
	}
	names, err := s.Store.ActorNames(ctx, tenant, []string{stone.PurgedBy, stone.SecondBy})
	if err != nil {
		return err
	}
	_, err = s.Store.ErasedPack(ctx, tenant, c.Param("id"))
	if err != nil && domain.KindOf(err) != domain.NotFound {
		return err
	}
	return s.Render(c, http.StatusGone, packsviews.Gone(packsviews.NewGonePage(s.Chrome(c), stone, names, err == nil)))
}

// sendErased sends what is kept of an erased pack. It holds no content, so it is not an export.
func (s *server) sendErased(c echo.Context) error {
	files, err := s.Store.ErasedPack(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", web.Attachment(c.Param("id")+"-erased.json"))
	return c.Blob(http.StatusOK, "application/json", files[db.FileErased])
}

// packPage shows the viewer; change adds what a form on it was refused for.
func (s *server) packPage(c echo.Context, status int, change func(*packsviews.Input)) error {
	in, err := s.packInput(c)
	if err != nil {
		return err
	}
	if change != nil {
		change(in)
	}
	s.MarkGuideStep(c, ui.GuidePack, "")
	return s.Render(c, status, packsviews.Show(packsviews.NewPage(s.ChromeAt(c, "/packs/"+in.Pack.Life.PackID), *in)))
}

// packInput gathers what the viewer shows. The stored files are verified after the transaction that has read the rest.
func (s *server) packInput(c echo.Context) (*packsviews.Input, error) {
	tenant := s.Who(c).Tenant
	var view *db.PackView
	var verify func() *packsviews.Seal
	var policy *pack.Policy
	in := &packsviews.Input{Reader: s.Who(c).ID, Manage: packsviews.Manage{Shown: web.MayOf(s.Who(c)).HoldPack}}
	err := s.Load(c, "PackView", func(c echo.Context) (err error) {
		if view, err = s.pack(c); err != nil {
			return err
		}
		known, err := s.besidePack(c, view, in)
		if err != nil {
			return err
		}
		verify, err = s.packSeal(c.Request().Context(), tenant, view, known)
		return err
	}, func(c echo.Context) (err error) {
		in.Said, err = s.said(c, c.Param("id"))
		return err
	}, func(c echo.Context) (err error) {
		policy, err = s.Store.Policy(c.Request().Context(), tenant)
		return err
	}, func(c echo.Context) (err error) {
		in.Due, err = s.duePart(c, c.Param("id"))
		return err
	})
	if err != nil {
		return nil, err
	}
	in.Pack, in.Versions = &pack.Pack{Content: view.Content, Life: *view.Life}, packVersions(view)
	in.Holds, in.Signed, in.Policy = view.Holds, view.Chain.LastSigned(), policy.Version
	in.Trace = s.traceLink(view.Content.TraceID)
	if view.Life.State == pack.Draft {
		in.Faults, in.Before = view.Faults(), view.Chain.ReturnBefore()
	}
	in.Seal = verify()
	standing := pack.Standing{Content: &view.Content, Life: view.Life, At: s.Now(), Faults: in.Faults,
		Broken: in.Seal != nil && in.Seal.Report != nil && !in.Seal.Report.OK(), Since: view.Since}
	in.Threads, in.Recorder = view.Threads, view.Recorder
	if !view.Life.Frozen() { // nothing is acknowledged yet
		standing.Since = pack.ThreadAlarms(view.Threads)
	}
	in.Concerns, in.Since = standing.Concerns(), view.Since
	in.Changed, in.Later = packsviews.LedgerChanges(view.Changes), view.Later
	return in, nil
}

// besidePack reads what hangs on a pack: names, who may decide, events and requests for copies. It returns the tenant's
// keys if the pack is signed.
func (s *server) besidePack(
	c echo.Context, view *db.PackView, in *packsviews.Input,
) (known []audit.PublicKey, err error) {
	who := s.Who(c)
	err = s.Together(c, "PackView", func(c echo.Context) (err error) {
		in.Names, err = s.Store.ActorNames(c.Request().Context(), who.Tenant, packActors(view))
		return err
	}, func(c echo.Context) (err error) {
		in.Decide, err = s.mayDecide(c, view)
		return err
	}, func(c echo.Context) (err error) {
		in.Events, err = s.EventRows(c.Request().Context(), who, view.Events)
		return err
	}, func(c echo.Context) (err error) {
		in.Exports, err = s.packExports(c, view)
		return err
	}, func(c echo.Context) (err error) {
		if !view.SignedAt.IsZero() {
			known, err = s.Store.Keys(c.Request().Context(), who.Tenant)
		}
		return err
	})
	return known, err
}

// mayDecide returns what the reader may decide, and if nothing, why not and who may (rules P-12, P-21, P-22).
func (s *server) mayDecide(c echo.Context, view *db.PackView) (packsviews.Decide, error) {
	who, l, life := s.Who(c), s.SignedIn(c), view.Life
	d := packsviews.Decide{Title: who.Title, Shown: life.State == pack.InReview && web.MayOf(who).DecidePack,
		Last: len(life.Approvals)+1 >= max(life.Need, 1)}
	if d.Shown {
		d.Why = view.Content.MayApprove(view.Chain, who, s.Now())
	}
	if life.State == pack.InReview {
		var err error
		if d.Waits, err = s.Store.Waits(c.Request().Context(), who.Tenant, view); err != nil {
			return d, err
		}
		if d.Shown && d.Why == nil {
			d.Deputies = standsFor(view, who, s.Now())
			d.Ends = deadEnds(view, &d.Waits, who.ID, d.Deputies)
			if !d.Last {
				d.Next = nextSigners(view, &d.Waits, who, d.Deputies, s.Now())
			}
		}
	}
	if l == nil {
		return d, nil
	}
	d.NoPassword, d.Code = l.User.Password == "", l.User.TOTP != nil
	if d.NoPassword && !s.HasReauthed(c) {
		d.Confirm = web.WithNext("/confirm", "/packs/"+life.PackID+"/sign")
	}
	return d, nil
}

// standsFor returns those as whose deputy the reader may approve a pack now.
func standsFor(view *db.PackView, who access.Actor, now time.Time) (out []access.Deputy) {
	for _, d := range view.Deputies {
		if d.By.ID == who.ID && view.Content.MayApproveFor(view.Chain, &d, who.Tenant, now) == nil {
			out = append(out, d)
		}
	}
	return out
}

// deadEnds returns in whose name an approval of somebody would leave nobody who could give the one that is then still
// needed: "" in their own, or the id of the person whose deputy they are.
func deadEnds(view *db.PackView, w *pack.Waits, by string, deputies []access.Deputy) (out []string) {
	if w.EndsWith(view.Chain, by, nil) {
		out = append(out, "")
	}
	for i := range deputies {
		if w.EndsWith(view.Chain, by, &deputies[i]) {
			out = append(out, deputies[i].For.ID)
		}
	}
	return out
}

// nextSigners returns who may sign a pack after somebody, by the name in which they sign: "" in their own, or the id of
// the person whose deputy they are. Whose signature counts as another person's depends on it (rule P-22).
func nextSigners(view *db.PackView, w *pack.Waits, by access.Actor, deputies []access.Deputy,
	now time.Time) map[string][]pack.Waiting {
	after := func(d *access.Deputy) []pack.Waiting {
		next := view.Content.WaitsAfter(w, view.Chain, by, d, view.Deputies, now)
		return next.Waiting
	}
	out := map[string][]pack.Waiting{"": after(nil)}
	for i := range deputies {
		out[deputies[i].For.ID] = after(&deputies[i])
	}
	return out
}

// traceLink is the address of a trace in the operator's viewer, "" if none is configured.
func (s *server) traceLink(traceID string) string {
	if s.traceViewer == "" || traceID == "" {
		return ""
	}
	return strings.ReplaceAll(s.traceViewer, "{trace_id}", url.PathEscape(traceID))
}
