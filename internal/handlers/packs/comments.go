package packs

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
	"sanad/internal/words"
)

// said adds the comments to what the pack's page shows.
func (s *server) said(c echo.Context, packID string) (packsviews.Said, error) {
	who := s.Who(c)
	all, err := s.Store.PackComments(c.Request().Context(), who.Tenant, packID)
	return packsviews.Said{Comments: all.Comments, People: all.People, Reader: who.ID}, err
}

// commentOnPack handles the form of a comment: 303 to the comment, 422 with what was typed.
func (s *server) commentOnPack(c echo.Context) error {
	said := pack.Comment{Text: ui.Mentioning(c.FormValue("text"), c.FormValue("mention")), Asks: c.FormValue("asks") != "",
		Thread: c.FormValue("thread")}
	stored, err := s.Store.AddPackComment(c.Request().Context(), s.Who(c), c.Param("id"), said, "", nil)
	switch {
	case err != nil:
		return s.refuseComment(c, &said, err)
	case stored.Thread != "":
		return web.SeeOther(c, "/packs/"+c.Param("id")+"?done=replied#comment-"+stored.ID)
	}
	return web.SeeOther(c, "/packs/"+c.Param("id")+"?done=commented#comment-"+stored.ID)
}

// refuseComment shows the pack again with what was typed.
func (s *server) refuseComment(c echo.Context, said *pack.Comment, err error) error {
	if domain.KindOf(err) == domain.NotFound {
		return err
	}
	f := packFault(err)
	if f == nil {
		return err
	}
	return s.packPage(c, web.FaultOf(err).Status, func(in *packsviews.Input) {
		in.Said.Text, in.Said.Asks, in.Said.Thread, in.Said.Fault = said.Text, said.Asks, said.Thread, f
		if e := new(domain.Error); errors.As(err, &e) && e.Path != "text" {
			// the thread takes nothing: what was typed stands in the form of a new comment
			in.Fault, in.Said.Fault, in.Said.Thread = f, nil, ""
		}
	})
}

// withdrawComment withdraws a comment of the reader's.
func (s *server) withdrawComment(c echo.Context) error {
	err := s.Store.WithdrawPackComment(c.Request().Context(), s.Who(c), c.Param("id"), c.Param("comment"), "", nil)
	if f := packFault(err); f != nil && domain.KindOf(err) == domain.Conflict {
		return s.packPage(c, http.StatusConflict, func(in *packsviews.Input) { in.Fault = f })
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/packs/"+c.Param("id")+"?done=withdrawn#comment-"+c.Param("comment"))
}

// threadDone is what the page says after a thread was resolved or reopened.
var threadDone = map[ledger.Action]string{ledger.Resolve: "resolved", ledger.Reopen: "reopened"}

// setThread handles the buttons that resolve a thread or reopen it: 303 to it, 409 if that was done already.
func (s *server) setThread(action ledger.Action) echo.HandlerFunc {
	return func(c echo.Context) error {
		x, err := s.Store.AddPackComment(c.Request().Context(), s.Who(c), c.Param("id"),
			pack.Comment{Action: action, Thread: c.Param("comment")}, "", nil)
		switch f := packFault(err); {
		case err == nil:
			return web.SeeOther(c, "/packs/"+c.Param("id")+"?done="+threadDone[action]+"#comment-"+x.Thread)
		case f != nil && domain.KindOf(err) == domain.Conflict:
			return s.packPage(c, http.StatusConflict, func(in *packsviews.Input) { in.Fault = f })
		}
		return noSuchThread(err)
	}
}

// noSuchThread says of an address that names no thread that nothing is there.
func noSuchThread(err error) error {
	if domain.KindOf(err) == domain.Invalid {
		return &domain.Error{Kind: domain.NotFound, Message: words.Msg("refused_pack_such_comment")}
	}
	return err
}

// apiSetThread resolves a thread or reopens it.
func (s *server) apiSetThread(action ledger.Action) func(echo.Context) (web.Reply, error) {
	return func(c echo.Context) (web.Reply, error) {
		var out web.Reply
		_, err := s.Store.AddPackComment(c.Request().Context(), s.Who(c), c.Param("id"),
			pack.Comment{Action: action, Thread: c.Param("comment")}, web.ReceiptKey(c),
			answerComment(c, http.StatusCreated, &out))
		return out, noSuchThread(err)
	}
}

// apiCommentInput is the body of POST …/comments.
type apiCommentInput struct {
	Text   string `json:"text"`   // plain text, at most 4,000 code points
	Asks   bool   `json:"asks"`   // its thread is open until somebody resolves it
	Thread string `json:"thread"` // a comment of the thread that it replies in
}

// apiComment is a comment on a pack.
type apiComment struct {
	ID        string       `json:"id"`
	AuthorID  string       `json:"author_id"`
	Author    string       `json:"author"`
	At        string       `json:"at"`
	Text      string       `json:"text"`
	Mentions  []apiMention `json:"mentions"`
	Withdrawn *string      `json:"withdrawn_at"` // null while it stands

	Action ledger.Action `json:"action"` // comment, resolve, reopen
	Asks   bool          `json:"asks"`
	Thread *string       `json:"thread"` // id of the comment that begins the thread it belongs to, null if it begins one
	Open   *bool         `json:"open"`   // of the thread that it begins; null of others
}

// apiComments are the comments on a pack.
type apiComments struct {
	Comments []apiComment `json:"comments"`
	Open     int          `json:"open_threads"`
}

// apiMention is somebody who is addressed, at a place of the text in code points.
type apiMention struct {
	Start  int    `json:"start"`
	Length int    `json:"length"`
	UserID string `json:"user_id"`
}

func newAPIComment(x *pack.Comment) apiComment {
	out := apiComment{Action: x.Action, Asks: x.Asks, Thread: web.OrNull(x.Thread),
		ID: x.ID, AuthorID: x.By, Author: x.Name, At: web.FormatTime(x.At), Text: x.Text,
		Mentions: []apiMention{}}
	for _, m := range x.Mentions {
		out.Mentions = append(out.Mentions, apiMention{m.Start, m.Length, m.ID})
	}
	if !x.Withdrawn.IsZero() {
		at := web.FormatTime(x.Withdrawn)
		out.Withdrawn = &at
	}
	return out
}

func (s *server) apiListComments(c echo.Context) error {
	all, err := s.Store.PackComments(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	out := apiComments{Comments: []apiComment{}}
	for i := range all.Comments {
		out.Comments = append(out.Comments, newAPIComment(&all.Comments[i]))
	}
	for _, x := range pack.Threads(all.Comments) {
		if out.Comments[x.First].Open = &x.Open; x.Open {
			out.Open++
		}
	}
	return c.JSON(http.StatusOK, out)
}

func (s *server) apiCommentOnPack(c echo.Context, in apiCommentInput) (web.Reply, error) {
	var out web.Reply
	_, err := s.Store.AddPackComment(c.Request().Context(), s.Who(c), c.Param("id"),
		pack.Comment{Text: in.Text, Asks: in.Asks, Thread: in.Thread}, web.ReceiptKey(c),
		answerComment(c, http.StatusCreated, &out))
	return out, err
}

func (s *server) apiWithdrawComment(c echo.Context) (web.Reply, error) {
	var out web.Reply
	err := s.Store.WithdrawPackComment(c.Request().Context(), s.Who(c), c.Param("id"), c.Param("comment"),
		web.ReceiptKey(c), answerComment(c, http.StatusOK, &out))
	return out, err
}

// answerComment makes the answer with a comment, and its receipt.
func answerComment(c echo.Context, status int, out *web.Reply) func(*pack.Comment) (*db.Receipt, error) {
	return func(x *pack.Comment) (*db.Receipt, error) {
		*out = web.Reply{Status: status, Body: newAPIComment(x)}
		return out.Receipt(c)
	}
}
