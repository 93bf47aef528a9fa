package packs

import (
	"encoding/base64"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/library"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	"sanad/internal/packfiles"
)

// packChange is the body of PATCH /packs/{id}. Sources and tool calls replace all that the draft has.
type packChange struct {
	Sources     *[]pack.EvidenceSource `json:"sources"`
	ToolCalls   *[]pack.ToolCallRecord `json:"tool_calls"`
	Statement   *string                `json:"statement"`
	StatementAR *string                `json:"statement_ar"`
	StatementEN *string                `json:"statement_en"`
	Memo        *apiMemo               `json:"memo"`
	Reason      string                 `json:"reason"`
}

// on returns the change of a draft that the body asks for.
func (in *packChange) on(c *pack.Content) pack.Change {
	x := pack.Change{Sources: in.Sources, ToolCalls: in.ToolCalls, Statement: in.Statement, StatementAR: in.StatementAR,
		StatementEN: in.StatementEN}
	if in.Memo != nil {
		memo := in.Memo.on(c.Memo)
		x.Memo = &memo
	}
	return x
}

// apiUpdatePack mends a draft. Unlike the steps of a pack's life it requires If-Match: two people who write at the same
// time must not overwrite each other's text.
func (s *server) apiUpdatePack(c echo.Context, in packChange) (web.Reply, error) {
	if err := pack.CheckReason(in.Reason); err != nil {
		return web.Reply{}, err
	}
	return s.changePack(c, http.StatusOK, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		if x := in.on(&p.Content); x == (pack.Change{}) {
			return nil, domain.Refuse(domain.Invalid, "memo", "refused_change_sources_tool")
		}
		return s.Store.MendPack(c.Request().Context(), s.Who(c), p.Life.PackID, p.Life.Revision, in.Reason, as,
			func(k *pack.Content) error {
				x := in.on(k)
				return mended(&x, k)
			})
	})
}

// mended applies a change; the error lists every fault.
func mended(x *pack.Change, k *pack.Content) error {
	if faults := x.Apply(k); len(faults) > 0 {
		return &importers.DecisionError{Faults: faults}
	}
	return nil
}

// apiDiscardPack gives a draft up.
func (s *server) apiDiscardPack(c echo.Context, in reasonInput) (web.Reply, error) {
	return s.changePack(c, http.StatusOK, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		return s.Store.DiscardPack(c.Request().Context(), s.Who(c), p.Life.PackID, p.Life.Revision, in.Reason, as)
	})
}

// attachmentInput is the body of POST /packs/{id}/attachments.
type attachmentInput struct {
	Name    string `json:"name"`
	Content string `json:"content"` // base64
	Reason  string `json:"reason"`

	// in place of content: the id of a document of the library and a version, 0 for the newest
	Library        string `json:"library"`
	LibraryVersion int    `json:"library_version"`
}

// check refuses what contradicts itself.
func (in *attachmentInput) check() error {
	switch {
	case in.Library == "" && in.LibraryVersion != 0:
		return domain.Refuse(domain.Invalid, "library_version", "refused_in_version_alone")
	case in.Library != "" && in.Content != "":
		return domain.Refuse(domain.Invalid, "library", "refused_attach_two")
	}
	return pack.CheckReason(in.Reason)
}

// attachFromLibrary adds the file of a version of the library to a draft.
func (s *server) attachFromLibrary(c echo.Context, in attachmentInput) (web.Reply, error) {
	if err := s.Require(c, access.ReadLibrary); err != nil {
		return web.Reply{}, err
	}
	name := ""
	if in.Name != "" {
		var err error
		if name, err = attachedName(in.Name); err != nil {
			return web.Reply{}, err
		}
	}
	return s.changePack(c, http.StatusCreated, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		return s.Store.AttachFromLibrary(c.Request().Context(), s.Who(c), p.Life.PackID, p.Life.Revision,
			library.Ref{ID: in.Library, No: in.LibraryVersion}, name, in.Reason, as)
	})
}

// apiAttach adds a file to a draft.
func (s *server) apiAttach(c echo.Context, in attachmentInput) (web.Reply, error) {
	if err := in.check(); err != nil {
		return web.Reply{}, err
	}
	if in.Library != "" {
		return s.attachFromLibrary(c, in)
	}
	data, err := base64.StdEncoding.DecodeString(in.Content)
	if err != nil {
		return web.Reply{}, domain.Refuse(domain.Invalid, "content", "refused_file_bytes_base64")
	}
	file, err := attachmentOf(in.Name, data)
	if err != nil {
		return web.Reply{}, err
	}
	return s.changePack(c, http.StatusCreated, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		return s.Store.AttachToPack(c.Request().Context(), s.Who(c), p.Life.PackID, p.Life.Revision, file, data, in.Reason,
			as)
	})
}

// attachmentOf checks a file by its content and cleans its name.
func attachmentOf(name string, data []byte) (pack.Attachment, error) {
	mediaType, err := packfiles.AttachmentType(name, data)
	if err != nil {
		return pack.Attachment{}, err
	}
	name, err = attachedName(name)
	return pack.Attachment{Name: name, MediaType: mediaType}, err
}

// attachedName cleans the name of an attachment.
func attachedName(name string) (string, error) {
	name = web.SafeName(name)
	if runes := []rune(name); name == "" || len(runes) > pack.MaxID {
		return "", domain.Refuse(domain.Invalid, "name", "refused_name_file_most", "N", pack.MaxID)
	}
	return name, nil
}

// apiDetach removes a file from a draft.
func (s *server) apiDetach(c echo.Context) (web.Reply, error) {
	digest, reason := c.QueryParam("sha256"), c.QueryParam("reason")
	if digest == "" {
		return web.Reply{}, domain.Refuse(domain.Invalid, "sha256", "refused_name_file_sha")
	}
	if err := pack.CheckReason(reason); err != nil {
		return web.Reply{}, err
	}
	return s.changePack(c, http.StatusOK, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		return s.Store.DetachFromPack(c.Request().Context(), s.Who(c), p.Life.PackID, p.Life.Revision, digest, reason, as)
	})
}

// departureInput is the body of POST /packs/{id}/departures.
type departureInput struct {
	ToolCall int    `json:"tool_call"` // its number, from 1
	Departed *bool  `json:"departed"`
	Reason   string `json:"reason"`
}

// apiDecideDeparture records what a person says where the words of a tool call can't tell.
func (s *server) apiDecideDeparture(c echo.Context, in departureInput) (web.Reply, error) {
	if in.Departed == nil {
		return web.Reply{}, domain.Refuse(domain.Invalid, "departed", "refused_say_whether_call")
	}
	return s.changePack(c, http.StatusOK, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		return s.decideDeparture(c, p.Life.PackID, p.Life.Revision, in, as)
	})
}

func (s *server) decideDeparture(c echo.Context, packID string, revision int, in departureInput,
	as db.Answering) (*db.PackView, error) {
	who, at := s.Who(c), s.Now()
	return s.Store.MendPack(c.Request().Context(), who, packID, revision, in.Reason, as, func(k *pack.Content) error {
		return k.DecideDeparture(in.ToolCall, *in.Departed, in.Reason, who, at)
	})
}

// apiCall answers POST /decisions/{id}/tool-calls.
type apiCall struct {
	DecisionID string `json:"decision_id"`
	ID         string `json:"id"`
}

// apiAddToolCall stores a tool call apart from its decision: 201, or 200 if the same was stored already.
func (s *server) apiAddToolCall(c echo.Context, in pack.ToolCallRecord) (web.Reply, error) {
	in.Departure, in.Caller = nil, nil // found here
	if faults := in.CheckCall(); len(faults) > 0 {
		return web.Reply{}, &importers.DecisionError{Faults: faults}
	}
	id := c.Param("id")
	out := web.Reply{Status: http.StatusCreated, Body: apiCall{DecisionID: id, ID: in.ID},
		Headers: map[string]string{"Location": decisionURL(id)}}
	receipt, err := out.Receipt(c)
	if err != nil {
		return out, err
	}
	created, err := s.Store.AddToolCall(c.Request().Context(), s.Who(c), id, &in, receipt)
	out.Status = web.CreatedOr200(created)
	return out, err
}
