package ledger

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
)

// passageInput is the body of POST …/claims/{n}/passages: a stretch of a document's text, in code points.
type passageInput struct {
	DocumentID string `json:"document_id"` // the store's
	Start      *int   `json:"start"`
	End        *int   `json:"end"`
}

// apiPassageAttached answers it.
type apiPassageAttached struct {
	Claim        int                 `json:"claim"`
	From         *ledger.Verdict     `json:"from_verdict"`
	To           *ledger.Verdict     `json:"to_verdict"`
	StaleReviews int                 `json:"stale_reviews"`
	Match        exporters.MatchView `json:"match"`
	Revision     int                 `json:"revision"`
}

// attachment says which passage is attached to which claim.
type attachment struct {
	session  string
	position int
	document string // the store's id
	place    func(d *ledger.Document) (start, end int)
	check    func(*ledger.Session) error
	key      string // of the receipt, "" if none
	receipt  func(*db.Attachment) (*db.Receipt, error)
}

// attach stores a passage as evidence of a claim.
func (s *server) attach(c echo.Context, x attachment) (*db.Attachment, error) {
	ctx, who, at := c.Request().Context(), s.Who(c), s.Now().UTC().Truncate(time.Microsecond)
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	own, err := s.embedded.For(ctx, s.Store, who.Tenant)
	if err != nil {
		return nil, err
	}
	return s.Store.AttachPassage(ctx, who, x.session, x.key, func(session *ledger.Session) (*db.Attachment, error) {
		claim := session.Claim(x.position)
		if claim == nil {
			return nil, web.NotFound()
		}
		if err := x.check(session); err != nil {
			return nil, err
		}
		d := session.DocumentByID(x.document)
		if d == nil {
			return nil, domain.Refuse(domain.Invalid, "document_id", "refused_session_such_document")
		}
		ref, span, err := d.Passage(x.place(d))
		if err != nil {
			return nil, err
		}
		m := own.Attached(session, claim, ref, span)
		m.Attached = &ledger.Attached{Actor: who.User, By: who.ID, At: at}
		change, err := session.Attach(x.position, m, at)
		if err != nil {
			return nil, err
		}
		l := ledger.Assess(session, tenant.FreshnessMonths)
		out := &db.Attachment{Ledger: &l, Change: change, Match: m}
		if x.receipt != nil {
			out.Receipt, err = x.receipt(out)
		}
		return out, err
	})
}

// apiAttach attaches a passage to a claim: 201 with the match as it was judged, under the new ETag.
func (s *server) apiAttach(c echo.Context, in passageInput) (web.Reply, error) {
	position, err := claimPosition(c)
	if err != nil {
		return web.Reply{}, err
	}
	if in.Start == nil || in.End == nil {
		return web.Reply{}, domain.Refuse(domain.Invalid, "start", "refused_start_end_passage")
	}
	var out web.Reply
	_, err = s.attach(c, attachment{
		session: c.Param("id"), position: position, document: in.DocumentID, check: web.SessionMatches(c), key: web.ReceiptKey(c),
		place: func(*ledger.Document) (int, int) { return *in.Start, *in.End },
		receipt: func(a *db.Attachment) (*db.Receipt, error) {
			now := a.Ledger.Session
			out = web.Reply{Status: http.StatusCreated, Headers: web.LedgerTag(c, now), Body: apiPassageAttached{
				Claim: position + 1, From: web.OrNull(a.Change.From), To: web.OrNull(a.Change.To),
				StaleReviews: a.Change.Stale, Match: exporters.APIMatch(&a.Match, now), Revision: now.RevisionFor(s.Who(c).ID),
			}}
			return out.Receipt(c)
		},
	})
	return out, err
}

// How many passages the page of a claim's passages offers, and the column of evidence.
const (
	nearestPassages = 5
	nearestBeside   = 3
)

// showPassages offers passages to attach to a claim: those nearest to it, or to ?q=.
func (s *server) showPassages(c echo.Context) error { return s.passagesPage(c, http.StatusOK, "") }

// passagesPage shows the passages with what is wrong with an attempt to attach one.
func (s *server) passagesPage(c echo.Context, status int, fault string) error {
	position, err := claimPosition(c)
	if err != nil {
		return err
	}
	session, err := s.Store.SessionFor(c.Request().Context(), s.Who(c), c.Param("id"))
	if err != nil {
		return err
	}
	claim := session.Claim(position)
	if claim == nil {
		return web.NotFound()
	}
	words := strings.TrimSpace(c.QueryParam("q"))
	in := ledgerviews.PassagesInput{Session: session, Claim: claim, Words: words, Fault: fault}
	if words == "" {
		words = claim.Text
	}
	readable := *session
	readable.Documents = nil
	for _, d := range session.Documents {
		if d.Citable() {
			readable.Documents = append(readable.Documents, d)
		}
	}
	in.Near = judge.Nearest(&readable, words, nearestPassages)
	if web.WantsFragment(c) {
		in.Near = in.Near[:min(len(in.Near), nearestBeside)]
		return s.Render(c, status, ledgerviews.NearestPassages(ledgerviews.NewPassagesPage(s.Chrome(c), in)))
	}
	return s.Render(c, status, ledgerviews.Passages(ledgerviews.NewPassagesPage(s.Chrome(c), in)))
}

// attachPassage handles the forms of that page and of the document's page: 303 to the claim.
func (s *server) attachPassage(c echo.Context) error {
	position, err := claimPosition(c)
	if err != nil {
		return err
	}
	if err := s.Store.HasSession(c.Request().Context(), s.Who(c).Tenant, c.Param("id")); err != nil {
		return err
	}
	again := func(status int, fault string) error { return s.passagesPage(c, status, fault) }
	if web.WantsFragment(c) {
		again = func(status int, fault string) error {
			page, err := s.claimPage(c, ledgerviews.ReviewForm{Refused: fault})
			if err != nil {
				return err
			}
			return s.renderClaim(c, status, page)
		}
	}
	return s.takePassage(c, c.Param("id"), position, c.FormValue("document_id"), again)
}

// takePassage attaches the passage that a form names, "chunk:start-end" within the chunk, and answers 303 to the claim.
// It shows the form again with a message if that is refused.
func (s *server) takePassage(c echo.Context, session string, position int, document string,
	again func(status int, fault string) error) error {
	check, err := s.seenRevision(c)
	if err != nil {
		return err
	}
	var chunk, start, end int
	if _, err := fmt.Sscanf(c.FormValue("passage"), "%d:%d-%d", &chunk, &start, &end); err != nil {
		return again(http.StatusUnprocessableEntity, "passage_choose")
	}
	done, err := s.attach(c, attachment{
		session: session, position: position, document: document, check: check,
		place: func(d *ledger.Document) (int, int) { return d.Start(chunk) + start, d.Start(chunk) + end },
	})
	switch domain.KindOf(err) {
	case domain.Invalid, domain.TooLarge:
		return again(http.StatusUnprocessableEntity, "passage_refused")
	case domain.Conflict:
		return again(http.StatusConflict, "passage_changed")
	}
	if err != nil {
		return err
	}
	if web.WantsFragment(c) {
		return s.reviewed(c, position, ledgerviews.ReviewForm{Passage: passageDone(done)})
	}
	return web.SeeOther(c, fmt.Sprintf("/sessions/%s/claims/%d", session, position+1))
}

// passageDone says on the page what came of attaching a passage, or of taking one back.
func passageDone(a *db.Attachment) *ledgerviews.PassageDone {
	return &ledgerviews.PassageDone{
		Detached: a.Detached, From: a.Change.From, To: a.Change.To,
		Unseen: a.Match.NoteSaid.ID == judge.AttachedNote && a.Change.From == ledger.NotFound && a.Change.To == ledger.Weak,
	}
}

// detachPassage takes back a passage that the caller attached to a claim: 303 to the claim, or the claim as it is now
// with 409 if it is not attached any more.
func (s *server) detachPassage(c echo.Context) error {
	position, err := claimPosition(c)
	if err != nil {
		return err
	}
	done, err := s.detach(c, position)
	if domain.KindOf(err) == domain.Conflict || domain.KindOf(err) == domain.Invalid {
		page, err := s.claimPage(c, ledgerviews.ReviewForm{Refused: "detach_refused"})
		if err != nil {
			return err
		}
		return s.renderClaim(c, http.StatusConflict, page)
	}
	if err != nil {
		return err
	}
	if web.WantsFragment(c) {
		return s.reviewed(c, position, ledgerviews.ReviewForm{Passage: passageDone(done)})
	}
	return web.SeeOther(c, fmt.Sprintf("/sessions/%s/claims/%d", c.Param("id"), position+1))
}

// detach takes back the passage that a form names as takePassage has it.
func (s *server) detach(c echo.Context, position int) (*db.Attachment, error) {
	ctx, who, at := c.Request().Context(), s.Who(c), s.Now().UTC().Truncate(time.Microsecond)
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	var chunk int
	var span text.Span
	if _, err := fmt.Sscanf(c.FormValue("passage"), "%d:%d-%d", &chunk, &span.Start, &span.End); err != nil {
		return nil, domain.Refuse(domain.Invalid, "passage", "refused_name_passage_chunk")
	}
	return s.Store.AttachPassage(ctx, who, c.Param("id"), "", func(session *ledger.Session) (*db.Attachment, error) {
		if session.Claim(position) == nil {
			return nil, web.NotFound()
		}
		d := session.DocumentByID(c.FormValue("document_id"))
		if d == nil {
			return nil, domain.Refuse(domain.Conflict, "", "refused_session_no_document")
		}
		ref := ledger.ChunkRef{Document: d.Position, Chunk: chunk}
		change, m, err := session.Detach(position, ref, span, who.ID, at)
		if err != nil {
			return nil, err
		}
		l := ledger.Assess(session, tenant.FreshnessMonths)
		return &db.Attachment{Detached: true, Ledger: &l, Change: change, Match: m}, nil
	})
}

// showAttachTo asks to which claim a passage is attached: the chunk ?chunk= of a document, as found by the search of
// all sessions or seen in the viewer.
func (s *server) showAttachTo(c echo.Context) error { return s.attachToPage(c, http.StatusOK, "") }

// attachToPage shows the form with what is wrong with it.
func (s *server) attachToPage(c echo.Context, status int, fault string) error {
	number, err := strconv.Atoi(c.QueryParam("chunk"))
	if err != nil || number < 1 {
		return web.NotFound()
	}
	ctx, who, id := c.Request().Context(), s.Who(c), c.Param("id")
	page, err := s.Store.DocumentPage(ctx, who, id, number-1, 0, 1)
	if err != nil {
		return err
	}
	session, err := s.Store.SessionFor(ctx, who, page.SessionID)
	if err != nil {
		return err
	}
	d := session.DocumentByID(id)
	if d == nil || number > len(d.Chunks) {
		return web.NotFound()
	}
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return err
	}
	now := ledger.Assess(session, tenant.FreshnessMonths)
	return s.Render(c, status, ledgerviews.AttachTo(ledgerviews.NewAttachToPage(s.Chrome(c), ledgerviews.AttachToInput{
		Ledger: &now, Document: d, Chunk: &d.Chunks[number-1], Claim: c.FormValue("claim"),
		Passage: c.FormValue("passage"), Fault: fault,
	})))
}

// attachTo handles that form: 303 to the claim.
func (s *server) attachTo(c echo.Context) error {
	page, err := s.Store.DocumentPage(c.Request().Context(), s.Who(c), c.Param("id"), 0, 0, 1)
	if err != nil {
		return err
	}
	again := func(status int, fault string) error { return s.attachToPage(c, status, fault) }
	number, err := strconv.Atoi(c.FormValue("claim"))
	if err != nil || number < 1 {
		return again(http.StatusUnprocessableEntity, "attach_to_choose")
	}
	return s.takePassage(c, page.SessionID, number-1, c.Param("id"), again)
}
