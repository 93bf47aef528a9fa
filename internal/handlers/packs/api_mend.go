package packs

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/library"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	"sanad/internal/packfiles"
	"sanad/internal/words"
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

// apiAttach adds a file to a draft.
func (s *server) apiAttach(c echo.Context, in attachmentInput) (web.Reply, error) {
	if err := in.check(); err != nil {
		return web.Reply{}, err
	}
	file, err := s.attachmentIn(c, &in)
	if err != nil {
		return web.Reply{}, err
	}
	return s.changePack(c, http.StatusCreated, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		return s.Store.AttachToPack(c.Request().Context(), s.Who(c), p.Life.PackID, p.Life.Revision, []db.NewFile{file},
			in.Reason, as)
	})
}

// attachmentIn checks the file that a program attaches.
func (s *server) attachmentIn(c echo.Context, in *attachmentInput) (db.NewFile, error) {
	if in.Library != "" {
		return s.attachmentOfLibrary(c, library.Ref{ID: in.Library, No: in.LibraryVersion}, in.Name)
	}
	data, err := base64.StdEncoding.DecodeString(in.Content)
	if err != nil {
		return db.NewFile{}, domain.Refuse(domain.Invalid, "content", "refused_file_bytes_base64")
	}
	return attachmentOf(in.Name, data)
}

// attachmentOfLibrary checks a version of the library, the newest for number 0, by its size, and by its name if it is to
// have another than its own. Its kind is one that the library takes.
func (s *server) attachmentOfLibrary(c echo.Context, ref library.Ref, name string) (out db.NewFile, err error) {
	if err := s.Require(c, access.ReadLibrary); err != nil {
		return out, err
	}
	v, err := s.Store.LibraryVersion(c.Request().Context(), s.Who(c).Tenant, ref)
	switch {
	case domain.KindOf(err) == domain.NotFound && err != nil:
		return out, domain.Refuse(domain.Invalid, "library", "refused_library_none")
	case err != nil:
		return out, err
	case v.Size > pack.MaxAttachment:
		return out, domain.Refuse(domain.TooLarge, "library", "fault_attach_library", "Name", words.Quoted(v.Filename), "N",
			pack.MaxAttachment>>20)
	}
	if end := filetype.NameEnd(name); end != "" && end != filetype.NameEnd(v.Filename) {
		if kind, _ := filetype.Of(name, filetype.Documents); kind.MediaType != v.MediaType {
			return out, domain.Refuse(domain.Invalid, "name", "fault_attached_name", "Type", v.MediaType, "End", end)
		}
	}
	out.Library = library.Ref{ID: ref.ID, No: v.No}
	out.Name, err = attachedName(cmp.Or(name, filetype.ShortName(v.Filename)))
	return out, err
}

// chosenFiles checks the documents of the library that were chosen on a page, each in its newest version.
func (s *server) chosenFiles(c echo.Context) (out []db.NewFile, err error) {
	ids := slices.Compact(slices.Sorted(slices.Values(c.Request().PostForm["library"])))
	if len(ids) > pack.MaxAttachments {
		return nil, domain.Refuse(domain.TooLarge, "library", "fault_attach_many", "N", pack.MaxAttachments)
	}
	for _, id := range ids {
		file, err := s.attachmentOfLibrary(c, library.Ref{ID: id}, "")
		if err != nil {
			return nil, err
		}
		out = append(out, file)
	}
	return out, nil
}

// attachmentOf checks a file by its content and cleans its name.
func attachmentOf(name string, data []byte) (db.NewFile, error) {
	mediaType, err := packfiles.AttachmentType(name, data)
	if err != nil {
		return db.NewFile{}, err
	}
	name, err = attachedName(name)
	return db.NewFile{Name: name, MediaType: mediaType, Data: data}, err
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
