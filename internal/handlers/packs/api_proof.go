package packs

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/words"
)

// apiProvePart returns the proof of one claim (or excerpt, memo field, tool call) of a signed pack; it verifies without
// the rest (rule P-15). It discloses content of the pack, so it counts as an export of its own.
func (s *server) apiProvePart(c echo.Context) error {
	return s.sendProof(c, c.Param("kind"), c.Param("part"))
}

// sendProof makes a proof and sends it.
func (s *server) sendProof(c echo.Context, kind, part string) error {
	frozen, signed, err := s.signedPack(c)
	if err != nil {
		return err
	}
	public, _, err := s.Store.PackFile(c.Request().Context(), s.Who(c).Tenant, c.Param("id"), pack.FileKey)
	if err != nil {
		return err
	}
	proof, err := pack.Prove(frozen, signed, public, kind, part)
	if err != nil {
		return err
	}
	data, err := proof.Bytes()
	if err != nil {
		return err
	}
	return s.sendPart(c, "proof", kind+"-"+part+".proof.json", data)
}

// redactionInput is the body of POST …/redacted.
type redactionInput struct {
	Redactions []pack.Redaction `json:"redactions"`
}

// apiRedactPack returns a copy of a signed pack without the parts that the request names; the copy still verifies.
func (s *server) apiRedactPack(c echo.Context) error {
	var in redactionInput
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	return s.sendRedacted(c, in.Redactions)
}

// sendRedacted makes a redacted copy and sends it.
func (s *server) sendRedacted(c echo.Context, without []pack.Redaction) error {
	frozen, signed, err := s.signedPack(c)
	switch {
	case err != nil:
		return err
	case len(without) == 0:
		return domain.Refuse(domain.Invalid, "redactions", "refused_name_least_part")
	case len(without) > 4*pack.MaxItems:
		return domain.Refuse(domain.TooLarge, "redactions", "refused_most_parts", "N", 4*pack.MaxItems)
	}
	redacted, err := pack.Redact(frozen, signed, without)
	if domain.KindOf(err) == domain.NotFound { // the part is named in the body, so this is not a 404
		return &domain.Error{Kind: domain.Invalid, Path: "redactions",
			Message: words.Msg("refused_pack_such_part"), Err: err}
	}
	if err != nil {
		return err
	}
	if err := s.Store.SignRedactions(c.Request().Context(), s.Who(c), redacted); err != nil {
		return err
	}
	data, err := redacted.Bytes()
	if err != nil {
		return err
	}
	return s.sendPart(c, "redacted", "redacted.json", data)
}

// signedPack loads what proofs and redacted copies are made of; NotFound before sign-off.
func (s *server) signedPack(c echo.Context) (*pack.Frozen, *pack.Envelope, error) {
	ctx, tenant, id := c.Request().Context(), s.Who(c).Tenant, c.Param("id")
	if !pack.CheckID(id) {
		return nil, nil, web.NotFound()
	}
	data, _, err := s.Store.PackFile(ctx, tenant, id, packEnvelope)
	if err != nil {
		return nil, nil, err
	}
	signed, err := pack.ParseEnvelope(data)
	if err != nil {
		return nil, nil, err
	}
	frozen, err := s.Store.FrozenPack(ctx, tenant, id)
	return frozen, signed, err
}

// sendPart sends a part of a pack as a file, after logging it.
func (s *server) sendPart(c echo.Context, format, name string, data []byte) error {
	id, sum := c.Param("id"), sha256.Sum256(data)
	err := s.Store.LogEvent(c.Request().Context(), s.Who(c),
		db.Event{Action: "pack.exported", Kind: "pack", ObjectID: id,
			Details: map[string]any{"pack_id": id, "format": format, "sha256": hex.EncodeToString(sum[:])}})
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", web.Attachment(id+"-"+name))
	return c.Blob(http.StatusOK, "application/json", data)
}
