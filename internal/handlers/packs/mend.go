package packs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	packsviews "sanad/internal/views/packs"
)

// maxMendForm bounds the form in bytes: a decision's texts, each byte written as three.
const maxMendForm = 3*pack.MaxDecision + 1<<20

// mendPage shows the form by which a draft's evidence is mended; a pack that is not a draft is shown read-only.
func (s *server) mendPage(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	if view.Life.State != pack.Draft {
		return web.SeeOther(c, "/packs/"+view.Life.PackID)
	}
	return s.showMend(c, http.StatusOK, view, packsviews.MendInput{})
}

func (s *server) showMend(c echo.Context, status int, view *db.PackView, in packsviews.MendInput) error {
	names, err := s.Store.ActorNames(c.Request().Context(), s.Who(c).Tenant, packActors(view))
	if err != nil {
		return err
	}
	if in.Pack == nil {
		in.Pack = &pack.Pack{Content: view.Content, Life: *view.Life}
	}
	in.Edits, in.Names, in.Broken = view.Edits, names, view.Faults()
	in.Return = view.Chain.ReturnBefore()
	if in.Library, err = s.OfferLibrary(c); err != nil {
		return err
	}
	return s.Render(c, status, packsviews.Mend(packsviews.NewMendPage(s.ChromeAt(c,
		"/packs/"+view.Life.PackID+"/mend"), in)))
}

// saveMended stores what was typed.
func (s *server) saveMended(c echo.Context) error {
	view, revision, err := s.shownPack(c)
	if err != nil {
		return err
	}
	f := mendForm{c: c}
	x := f.change(&view.Content)
	if err = f.err(); err != nil {
		f.all = true // the faults name the fields of the whole form
		x = f.change(&view.Content)
	}
	if err == nil {
		err = pack.CheckReason(c.FormValue("reason"))
	}
	if err == nil {
		_, err = s.Store.MendPack(c.Request().Context(), s.Who(c), view.Life.PackID, revision, c.FormValue("reason"),
			db.Answering{}, func(k *pack.Content) error { return mended(&x, k) })
	}
	if err != nil {
		return s.refuseMend(c, view, x, packsviews.MendInput{Form: "mend", Typed: f.typed, Removed: f.removed}, revision, err)
	}
	return web.SeeOther(c, "/packs/"+view.Life.PackID+"/mend?done=mended")
}

// refuseMend shows the form again with what was typed: with its faults (422), or beside what somebody else has stored
// meanwhile, and who did (409).
func (s *server) refuseMend(c echo.Context, view *db.PackView, x pack.Change, in packsviews.MendInput, revision int,
	fault error) error {
	kind := domain.KindOf(fault)
	if kind != domain.Conflict && kind != domain.Invalid && kind != domain.TooLarge || view.Life.State != pack.Draft {
		return s.refuseDecision(c, fault, packsviews.Show)
	}
	typed := view.Content
	if x.Sources != nil {
		typed.Sources, typed.ToolCalls = *x.Sources, *x.ToolCalls
		typed.Statement, typed.StatementAR, typed.StatementEN = *x.Statement, *x.StatementAR, *x.StatementEN
	}
	in.Pack, in.Reason = &pack.Pack{Content: typed, Life: *view.Life}, c.FormValue("reason")
	var list *importers.DecisionError
	switch {
	case kind == domain.Conflict:
		stored := view.Content
		in.Stored = &stored
		for _, e := range view.Edits {
			if e.Revision > revision {
				in.Newer = append(in.Newer, e)
			}
		}
		in.Fault = packFault(fault)
	case errors.As(fault, &list):
		in.Faults, in.Fault = list.Faults, web.FieldFault("", "mend_faults")
	default:
		in.Fault = packFault(fault)
	}
	return s.showMend(c, web.StatusOf[kind], view, in)
}

// mendForm reads the form. Fields are named by their path in the draft.
type mendForm struct {
	c       echo.Context
	faults  []*domain.Error
	typed   map[string]string // texts that could not be read, by path
	all     bool              // take what is to be removed too
	removed map[string]bool   // which it is, by the name of its box
}

// refuse adds a fault and keeps the text that it is about.
func (f *mendForm) refuse(fault *domain.Error) {
	f.faults = append(f.faults, fault)
	f.typed[fault.Path] = f.get(fault.Path)
}

// keeps reports whether an item stays in the list.
func (f *mendForm) keeps(at string) bool {
	if f.get(at+"remove") == "" {
		return true
	}
	f.removed[at+"remove"] = true
	return f.all
}

func (f *mendForm) err() error {
	if len(f.faults) == 0 {
		return nil
	}
	return &importers.DecisionError{Faults: f.faults}
}

// get returns a field. Browsers send line breaks as CR LF.
func (f *mendForm) get(path string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(f.c.Request().PostFormValue(path), "\r\n", "\n"), "\uFFFD")
}

func (f *mendForm) has(path string) bool { return f.c.Request().PostForm.Has(path) }

// change returns the whole of what was typed, over what the draft has.
func (f *mendForm) change(k *pack.Content) pack.Change {
	f.faults, f.typed, f.removed = nil, map[string]string{}, map[string]bool{}
	statement, ar, en := f.get("statement"), k.StatementAR, k.StatementEN
	if f.has("statement_ar") {
		ar = f.get("statement_ar")
	}
	if f.has("statement_en") {
		en = f.get("statement_en")
	}
	sources, calls := f.sources(k.Sources), f.calls(k.ToolCalls)
	return pack.Change{Sources: &sources, ToolCalls: &calls, Statement: &statement, StatementAR: &ar, StatementEN: &en}
}

func (f *mendForm) sources(before []pack.EvidenceSource) (out []pack.EvidenceSource) {
	for i := 0; i < pack.MaxItems+1; i++ {
		at := fmt.Sprintf("sources[%d].", i)
		if !f.has(at + "source") {
			break
		}
		var s pack.EvidenceSource
		if i < len(before) {
			s = before[i]
		}
		was := s.Excerpt
		s.Source, s.URI, s.InternalRef = f.get(at+"source"), f.get(at+"uri"), f.get(at+"internal_ref")
		s.RetrievedAt, s.Kind, s.SensitivityClass = f.get(at+"retrieved_at"), f.get(at+"kind"), f.get(at+"sensitivity_class")
		s.Excerpt, s.ContentHash, s.Confidence = f.get(at+"excerpt"), f.get(at+"content_hash"), f.share(at+"confidence")
		if !s.S3() && s.Excerpt != was { // its hash and place are found again
			s.Quote = pack.Quote{Excerpt: s.Excerpt, ContentHash: s.ContentHash}
		}
		empty := s.Source == "" && s.URI == "" && s.Excerpt == "" && s.InternalRef == ""
		if f.keeps(at) && (i < len(before) || !empty) {
			out = append(out, s)
		}
	}
	return out
}

func (f *mendForm) share(path string) *float64 {
	text := strings.TrimSpace(f.get(path))
	if text == "" {
		return nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x < 0 || x > 1 {
		f.refuse(domain.Refuse(domain.Invalid, path, "fault_share"))
		return nil
	}
	return &x
}

func (f *mendForm) calls(before []pack.ToolCallRecord) (out []pack.ToolCallRecord) {
	for i := 0; i < pack.MaxItems+1; i++ {
		at := fmt.Sprintf("tool_calls[%d].", i)
		if !f.has(at + "tool_name") {
			break
		}
		var t pack.ToolCallRecord
		if i < len(before) {
			t = before[i]
		}
		t.ToolName, t.IntendedAction, t.ActualAction = f.get(at+"tool_name"), f.get(at+"intended_action"),
			f.get(at+"actual_action")
		t.VerificationStatus, t.SensitivityClass = f.get(at+"verification_status"), f.get(at+"sensitivity_class")
		t.Error, t.StartedAt, t.EndedAt = f.get(at+"error"), f.get(at+"started_at"), f.get(at+"ended_at")
		t.SideEffects = lines(f.get(at + "side_effects"))
		t.Inputs, t.Outputs = f.json(at+"inputs"), f.json(at+"outputs")
		empty := t.ToolName == "" && t.IntendedAction == "" && t.ActualAction == ""
		if f.keeps(at) && (i < len(before) || !empty) {
			out = append(out, t)
		}
	}
	return out
}

// lines returns the lines of a text that say something.
func lines(s string) []string {
	out := []string{}
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

func (f *mendForm) json(path string) json.RawMessage {
	text := strings.TrimSpace(f.get(path))
	if text == "" {
		return nil
	}
	if !json.Valid([]byte(text)) {
		f.refuse(domain.Refuse(domain.Invalid, path, "fault_no_json"))
		return nil
	}
	return json.RawMessage(text)
}

// attachFile adds to a draft an uploaded file and those of documents of the library that were chosen; or it shows the form
// again with what was searched for there.
func (s *server) attachFile(c echo.Context) error {
	r := c.Request()
	if _, err := s.pack(c); err != nil { // before the body is read: a foreign id is answered like an unknown one
		return err
	}
	if err := web.ParseFiles(c, pack.MaxAttachment+1<<20, 1<<20); err != nil {
		return err
	}
	defer r.MultipartForm.RemoveAll() //nolint:errcheck // temporary files; the system clears what stays
	if web.SearchesLibrary(c) {
		view, revision, err := s.shownPack(c)
		if err != nil {
			return err
		}
		if view.Life.State != pack.Draft {
			return web.SeeOther(c, "/packs/"+view.Life.PackID)
		}
		view.Life.Revision = revision // a change by somebody else is still found when files are attached
		return s.showMend(c, http.StatusOK, view,
			packsviews.MendInput{Form: "attach", Reason: c.FormValue("reason"), Again: web.SentFiles(c)})
	}
	return s.mendStep(c, "attach", "attached", func(view *db.PackView, revision int, reason string) error {
		files, err := s.chosenFiles(c)
		if err != nil {
			return err
		}
		if web.SentFiles(c) || len(files) == 0 {
			file, err := sentFile(r)
			if err != nil {
				return err
			}
			files = append(files, file)
		}
		_, err = s.Store.AttachToPack(r.Context(), s.Who(c), view.Life.PackID, revision, files, reason, db.Answering{})
		return err
	})
}

// sentFile reads the file of the form and checks it.
func sentFile(r *http.Request) (db.NewFile, error) {
	part, head, err := r.FormFile("file")
	if err != nil {
		return db.NewFile{}, domain.Refuse(domain.Invalid, "file", "fault_file_none")
	}
	defer part.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(part, pack.MaxAttachment+1))
	if err != nil {
		return db.NewFile{}, err
	}
	return attachmentOf(head.Filename, data)
}

// detachFile removes a file from a draft.
func (s *server) detachFile(c echo.Context) error {
	return s.mendStep(c, "", "detached", func(view *db.PackView, revision int, reason string) error {
		_, err := s.Store.DetachFromPack(c.Request().Context(), s.Who(c), view.Life.PackID, revision, c.FormValue("sha256"),
			reason, db.Answering{})
		return err
	})
}

// decideCall records what a person says of a tool call whose words can't tell.
func (s *server) decideCall(c echo.Context) error {
	return s.mendStep(c, "departure-"+c.FormValue("tool_call"), "decided", func(view *db.PackView, revision int, reason string) error {
		n, _ := strconv.Atoi(c.FormValue("tool_call")) // not a number: no such call
		departed := c.FormValue("departed") == "yes"
		_, err := s.decideDeparture(c, view.Life.PackID, revision,
			departureInput{ToolCall: n, Departed: &departed, Reason: reason}, db.Answering{})
		return err
	})
}

// mendStep does one step on the form's page, and shows the page again with the fault at the step's form if it is
// refused.
func (s *server) mendStep(c echo.Context, form, done string, step func(*db.PackView, int, string) error) error {
	view, revision, err := s.shownPack(c)
	if err != nil {
		return err
	}
	reason := c.FormValue("reason")
	if err = pack.CheckReason(reason); err == nil {
		err = step(view, revision, reason)
	}
	if err == nil {
		return web.SeeOther(c, "/packs/"+view.Life.PackID+"/mend?done="+done)
	}
	var e *domain.Error
	if errors.As(err, &e) && e.Kind == domain.Unsupported {
		return s.showMend(c, http.StatusUnprocessableEntity, view,
			packsviews.MendInput{Form: form, Reason: reason, Fault: web.FieldFault("file", "attach_type")})
	}
	return s.refuseMend(c, view, pack.Change{}, packsviews.MendInput{Form: form}, revision, err)
}

// discardPack gives a draft up, with a reason.
func (s *server) discardPack(c echo.Context) error {
	view, revision, err := s.shownPack(c)
	if err != nil {
		return err
	}
	_, err = s.Store.DiscardPack(c.Request().Context(), s.Who(c), view.Life.PackID, revision, c.FormValue("reason"),
		db.Answering{})
	if err != nil {
		return s.refuseMend(c, view, pack.Change{}, packsviews.MendInput{Form: "discard"}, revision, err)
	}
	return web.SeeOther(c, "/packs/"+view.Life.PackID+"?done=discarded")
}
