package packs

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
)

// maxMemoForm bounds the drafting form, in bytes: six fields of pack.MaxMemo, each byte written as three.
const maxMemoForm = 6*3*pack.MaxMemo + 64<<10

// editPack shows the drafting form; a pack that is not a draft is shown read-only.
func (s *server) editPack(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	if view.Life.State != pack.Draft {
		return web.SeeOther(c, "/packs/"+view.Life.PackID)
	}
	return s.draftPage(c, http.StatusOK, view, packsviews.EditInput{Saved: c.QueryParam("done") == "saved"})
}

// draftPage shows the drafting form of a draft, with every rule that its content breaks.
func (s *server) draftPage(c echo.Context, status int, view *db.PackView, in packsviews.EditInput) error {
	in.Pack, in.Faults = &pack.Pack{Content: view.Content, Life: *view.Life}, view.Faults()
	var refused *pack.PolicyError
	if errors.As(view.Content.CheckSubmission(s.Now(), view.Life.Makers), &refused) {
		in.Rules = refused.Rules
	}
	var err error
	if in.Return, in.Names, err = s.returnedBefore(c, view); err != nil {
		return err
	}
	page := packsviews.NewEditPage(s.ChromeAt(c, "/packs/"+view.Life.PackID+"/edit"), in)
	if in.Previewed && web.WantsFragment(c) {
		return s.Render(c, status, packsviews.EditLive(page))
	}
	return s.Render(c, status, packsviews.Edit(page))
}

// returnedBefore returns why the version before a draft was returned, nil if it was not, and the name of who did.
func (s *server) returnedBefore(c echo.Context, view *db.PackView) (*pack.Return, map[string]string, error) {
	r := view.Chain.ReturnBefore()
	if r == nil {
		return nil, nil, nil
	}
	names, err := s.Store.ActorNames(c.Request().Context(), s.Who(c).Tenant, []string{r.Actor})
	return r, names, err
}

// previewDraft shows what was typed as the pack will show it, and the rules that it breaks. It stores nothing. The form
// keeps the revision that it was made from, so that a change by somebody else is still found when it is saved. A script
// asks for the parts that follow the typing only.
func (s *server) previewDraft(c echo.Context) error {
	memo, revision, err := memoForm(c)
	if err != nil {
		return err
	}
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	if view.Life.State != pack.Draft {
		return s.packPage(c, http.StatusConflict,
			func(in *packsviews.Input) { in.Fault = web.FieldFault("", "pack_not_now") })
	}
	if err := view.Content.SetMemo(memo); err != nil {
		return s.refuseDraft(c, memo, err, false)
	}
	view.Life.Revision = revision
	return s.draftPage(c, http.StatusOK, view, packsviews.EditInput{Previewed: true})
}

// saveDraft stores the memo, whether or not it breaks rules.
func (s *server) saveDraft(c echo.Context) error {
	memo, revision, err := memoForm(c)
	if err != nil {
		return err
	}
	if _, err := s.setMemo(c, memo, revision); err != nil {
		return s.refuseDraft(c, memo, err, false)
	}
	return web.SeeOther(c, "/packs/"+c.Param("id")+"/edit?done=saved")
}

// submitPack stores the memo and submits the draft; it stays a draft if it breaks a rule.
func (s *server) submitPack(c echo.Context) error {
	memo, revision, err := memoForm(c)
	if err != nil {
		return err
	}
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	if !c.Request().PostForm.Has("title_en") { // from the pack's own page, which has no memo to edit
		memo = view.Content.Memo
	}
	if view.Content.Memo != memo {
		if view, err = s.setMemo(c, memo, revision); err != nil {
			return s.refuseDraft(c, memo, err, true)
		}
		revision = view.Life.Revision
	}
	if _, err := s.Store.SubmitPack(c.Request().Context(), s.Who(c), view.Life.PackID, revision,
		db.Answering{}); err != nil {
		return s.refuseDraft(c, memo, err, true)
	}
	return web.SeeOther(c, "/packs/"+view.Life.PackID+"?done=submitted")
}

func (s *server) setMemo(c echo.Context, memo pack.BilingualMemo, revision int) (*db.PackView, error) {
	if !pack.CheckID(c.Param("id")) {
		return nil, web.NotFound()
	}
	return s.Store.UpdatePack(c.Request().Context(), s.Who(c), c.Param("id"), revision, db.Answering{},
		func(k *pack.Content) error { return k.SetMemo(memo) })
}

// memoForm reads the drafting form. Browsers send line breaks as CR LF.
func memoForm(c echo.Context) (m pack.BilingualMemo, revision int, err error) {
	r := c.Request()
	if err := web.ParseForm(c, maxMemoForm); err != nil {
		return m, 0, err
	}
	get := func(name string) string {
		return strings.ToValidUTF8(strings.ReplaceAll(r.PostFormValue(name), "\r\n", "\n"), "\uFFFD")
	}
	m = pack.BilingualMemo{
		TitleEN: get("title_en"), TitleAR: get("title_ar"), ExecutiveSummaryEN: get("executive_summary_en"),
		ExecutiveSummaryAR: get("executive_summary_ar"),
		BodyEN:             get("body_en"), BodyAR: get("body_ar"),
	}
	revision, err = formRevision(c)
	return m, revision, err
}

// formRevision returns the revision that a form was made from.
func formRevision(c echo.Context) (int, error) {
	n, err := strconv.Atoi(c.FormValue("revision"))
	if err != nil {
		return 0, web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "revision", "refused_form_lacks_revision"))
	}
	return n, nil
}

// refuseDraft shows the form again with what was typed: beside what somebody else has stored meanwhile (409), or with
// the broken rules (422). tried says that the draft was to be submitted, not only saved.
func (s *server) refuseDraft(c echo.Context, memo pack.BilingualMemo, fault error, tried bool) error {
	kind := domain.KindOf(fault)
	if kind != domain.Conflict && kind != domain.Invalid && kind != domain.TooLarge {
		return fault
	}
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	if view.Life.State != pack.Draft {
		return s.packPage(c, http.StatusConflict,
			func(in *packsviews.Input) { in.Fault = web.FieldFault("", "pack_not_now") })
	}
	in := packsviews.EditInput{Tried: tried}
	var broken *db.BrokenPackError
	switch {
	case kind == domain.Conflict:
		stored := view.Content.Memo
		in.Stored = &stored
	case kind == domain.TooLarge:
		in.Fault = web.FormFault(fault, "", nil)
	case errors.As(fault, new(*pack.PolicyError)):
		in.Fault = web.FieldFault("", "policy_submit")
	case !errors.As(fault, &broken):
		in.Fault = web.FormFault(fault, "", nil)
	}
	view.Content.Memo = memo
	return s.draftPage(c, web.StatusOf[kind], view, in)
}
