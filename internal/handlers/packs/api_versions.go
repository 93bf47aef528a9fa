package packs

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/text/redline"
	"sanad/internal/handlers/web"
)

// apiListVersions lists all versions of a pack, oldest first.
func (s *server) apiListVersions(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, map[string]any{"versions": packRows(view.Versions)})
}

// apiShowEnvelope returns a signed pack's DSSE envelope as it is stored.
func (s *server) apiShowEnvelope(c echo.Context) error {
	if !pack.CheckID(c.Param("id")) {
		return web.NotFound()
	}
	data, _, err := s.Store.PackFile(c.Request().Context(), s.Who(c).Tenant, c.Param("id"), packEnvelope)
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, "application/json", data)
}

// apiChanges is what changed between two versions, or between a pack and the ledger as it stands.
type apiChanges struct {
	From      string       `json:"from"` // a pack id, or "ledger"
	To        string       `json:"to"`
	Unchanged bool         `json:"unchanged"`
	Claims    apiClaims    `json:"claims"`
	Sources   apiSources   `json:"sources"`
	Memo      []memoChange `json:"memo"`

	Decision    []fieldChange `json:"decision"`
	ToolCalls   []itemChange  `json:"tool_calls"`
	Prompts     []itemChange  `json:"prompts"`
	Attachments []itemChange  `json:"attachments"`
	Policy      []fieldChange `json:"policy"`
}

type apiClaims struct {
	Added    []claimChange `json:"added"`
	Dropped  []claimChange `json:"dropped"`
	Flipped  []claimChange `json:"flipped"`  // other effective verdict
	Reviewed []claimChange `json:"reviewed"` // same verdict, other reviews
}

type apiSources struct {
	Added   []sourceChange `json:"added"`
	Dropped []sourceChange `json:"dropped"`
	Changed []sourceChange `json:"changed"`
}

type claimChange struct {
	ClaimID string          `json:"claim_id"`
	Number  int             `json:"number"`
	Text    string          `json:"claim_text"`
	Old     *ledger.Verdict `json:"old_verdict"`
	New     *ledger.Verdict `json:"new_verdict"`
}

type sourceChange struct {
	Reference string  `json:"reference"`
	Source    string  `json:"source"`
	OldHash   *string `json:"old_hash"`
	NewHash   *string `json:"new_hash"`

	Fields []fieldChange `json:"fields"` // of a changed one: what else differs
}

type memoChange struct {
	Field  string      `json:"field"`
	Lang   string      `json:"lang"`
	Pieces []memoPiece `json:"pieces"`
}

// fieldChange is a text that differs; null where it is not in that version.
type fieldChange struct {
	Field string  `json:"field"`
	Old   *string `json:"old"`
	New   *string `json:"new"`
}

// itemChange is a tool call, prompt or attachment that came, went or changed.
type itemChange struct {
	Change   string        `json:"change"` // added, removed or changed
	Position int           `json:"position"`
	Name     string        `json:"name"`
	Fields   []fieldChange `json:"fields"`
}

func newFieldChanges(all []pack.FieldChange) []fieldChange {
	return web.Map(all, func(x pack.FieldChange) fieldChange {
		return fieldChange{x.Name, web.OrNull(x.Old), web.OrNull(x.New)}
	})
}

func newItemChanges(all []pack.ItemChange) []itemChange {
	return web.Map(all, func(x pack.ItemChange) itemChange {
		return itemChange{Change: x.Kind, Position: x.Position + 1, Name: x.Name, Fields: newFieldChanges(x.Fields)}
	})
}

type memoPiece struct {
	Op   redline.Op `json:"op"`
	Text string     `json:"text"`
}

func newAPIChanges(from, to string, ch pack.Changes) apiChanges {
	claims := func(in []pack.ClaimChange) []claimChange {
		return web.Map(in, func(x pack.ClaimChange) claimChange {
			return claimChange{
				ClaimID: x.ClaimID, Number: x.Number, Text: x.Text, Old: web.OrNull(x.Old), New: web.OrNull(x.New),
			}
		})
	}
	sources := func(in []pack.SourceChange) []sourceChange {
		return web.Map(in, func(x pack.SourceChange) sourceChange {
			return sourceChange{
				Reference: pack.Reference(x.Position), Source: x.Source, OldHash: web.OrNull(x.OldHash),
				NewHash: web.OrNull(x.NewHash), Fields: newFieldChanges(x.Fields),
			}
		})
	}
	return apiChanges{
		From: from, To: to, Unchanged: ch.None(),
		Claims: apiClaims{
			Added: claims(ch.ClaimsAdded), Dropped: claims(ch.ClaimsDropped), Flipped: claims(ch.Flips),
			Reviewed: claims(ch.Reviewed),
		},
		Sources: apiSources{sources(ch.SourcesAdded), sources(ch.SourcesDropped), sources(ch.SourcesChanged)},
		Memo: web.Map(ch.Memo, func(x pack.MemoChange) memoChange {
			return memoChange{x.Name, x.Lang,
				web.Map(x.Pieces, func(p redline.Piece) memoPiece { return memoPiece{p.Op, p.Text} })}
		}),
		Decision: newFieldChanges(ch.Decision), ToolCalls: newItemChanges(ch.Calls), Prompts: newItemChanges(ch.Prompts),
		Attachments: newItemChanges(ch.Attachments), Policy: newFieldChanges(ch.Policy),
	}
}

// apiShowChanges compares a pack with another of its versions (?from=PACK, by default its predecessor; ?from=signed,
// the last signed version before it), or with the current ledger (?from=ledger): what changed since its entries were
// copied.
func (s *server) apiShowChanges(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	from := c.QueryParam("from")
	switch from {
	case "":
		from = view.Life.Supersedes
	case "signed":
		from = view.Chain.LastSigned()
	}
	switch {
	case from == "":
		return web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "from", "refused_such_version_before"))
	case from == "ledger":
		return s.apiSinceCopied(c, view)
	case !slices.ContainsFunc(view.Versions, func(r pack.Row) bool { return r.PackID == from }):
		return web.NotFound()
	}
	older, err := s.Store.Pack(c.Request().Context(), s.Who(c).Tenant, from)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK,
		newAPIChanges(from, view.Life.PackID, pack.Compare(&older.Content, &view.Content)))
}

// apiSinceCopied says what changed in the ledger since the pack copied it.
func (s *server) apiSinceCopied(c echo.Context, view *db.PackView) error {
	copied := view.Content.Ledger
	if copied == nil {
		return web.WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, "from", "refused_pack_ledger"))
	}
	changes, err := s.Store.ComparedWithLedger(c.Request().Context(), s.Who(c).Tenant, copied)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, newAPIChanges(view.Life.PackID, "ledger", changes))
}
