package packs

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// said adds the comments to what the pack's page shows.
func (s *server) said(c echo.Context, packID string) (packsviews.Said, error) {
	who := s.Who(c)
	all, err := s.Store.PackComments(c.Request().Context(), who.Tenant, packID)
	return packsviews.Said{Comments: all.Comments, People: all.People, Reader: who.ID}, err
}

// commentOnPack handles the form of a comment: 303 to the comment, 422 with what was typed.
func (s *server) commentOnPack(c echo.Context) error {
	text := ui.Mentioning(c.FormValue("text"), c.FormValue("mention"))
	said, err := s.Store.AddPackComment(c.Request().Context(), s.Who(c), c.Param("id"), text, "", nil)
	if err == nil {
		return web.SeeOther(c, "/packs/"+c.Param("id")+"?done=commented#comment-"+said.ID)
	}
	return s.refuseComment(c, text, err)
}

// refuseComment shows the pack again with what was typed.
func (s *server) refuseComment(c echo.Context, text string, err error) error {
	if domain.KindOf(err) == domain.NotFound {
		return err
	}
	f := packFault(err)
	if f == nil {
		return err
	}
	return s.packPage(c, web.FaultOf(err).Status, func(in *packsviews.Input) { in.Said.Text, in.Said.Fault = text, f })
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

// apiCommentInput is the body of POST …/comments.
type apiCommentInput struct {
	Text string `json:"text"` // plain text, at most 4,000 code points
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
}

// apiMention is somebody who is addressed, at a place of the text in code points.
type apiMention struct {
	Start  int    `json:"start"`
	Length int    `json:"length"`
	UserID string `json:"user_id"`
}

func newAPIComment(x *pack.Comment) apiComment {
	out := apiComment{ID: x.ID, AuthorID: x.By, Author: x.Name, At: web.FormatTime(x.At), Text: x.Text,
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
	rows := []apiComment{}
	for i := range all.Comments {
		rows = append(rows, newAPIComment(&all.Comments[i]))
	}
	return c.JSON(http.StatusOK, map[string]any{"comments": rows})
}

func (s *server) apiCommentOnPack(c echo.Context, in apiCommentInput) (web.Reply, error) {
	var out web.Reply
	_, err := s.Store.AddPackComment(c.Request().Context(), s.Who(c), c.Param("id"), in.Text, web.ReceiptKey(c),
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
