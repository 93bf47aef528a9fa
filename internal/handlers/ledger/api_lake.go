package ledger

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
)

// lakePerSession bounds the artifacts that one request reads from the lake together, in bytes. Requests wait for memory
// by the length of their bodies, which says nothing about these.
const lakePerSession = 16 << 20

// apiImportOfLake imports a session whose JSON names documents of the lake: they are read as uploaded files are, and
// kept as they are, with their digests. Nothing but the tenant's part of the configured lake is asked.
func (s *server) apiImportOfLake(c echo.Context, data []byte, named []importers.LakeDocument) (web.Reply, error) {
	files, err := s.lakeFiles(c, named)
	if err != nil {
		return web.Reply{}, err
	}
	form := importers.Form{Session: data, Files: files}
	for _, d := range named {
		form.Lake = append(form.Lake, d.Path)
	}
	return s.apiImportForm(c, form, bodyFault)
}

// lakeFiles reads artifacts. Faults name the document.
func (s *server) lakeFiles(c echo.Context, named []importers.LakeDocument) ([]importers.File, error) {
	ctx, who := c.Request().Context(), s.Who(c)
	if ok, err := s.Authorizer.Allowed(ctx, who, access.ReadBundle, access.Object{}); err != nil {
		return nil, web.NotChecked(err)
	} else if !ok {
		return nil, web.LacksRole(access.ReadBundle)
	}
	if s.Lake == nil {
		return nil, &domain.Error{Kind: domain.Unavailable, Path: lakeAt(named[0].Index),
			Msg: "This server has no lake; ask its operator for one, or give the document's text."}
	}
	area, total := s.Lake.Of(who.Tenant), 0
	var out []importers.File
	for _, d := range named {
		data, err := area.Get(ctx, d.Path)
		if err != nil {
			return nil, lakeFault(d.Index, err)
		}
		most := cmp.Or(s.imports.DocumentBytes, importers.DocumentBytes)
		if total += len(data); len(data) > most || total > lakePerSession {
			return nil, domain.TooLargef(lakeAt(d.Index), "This artifact has %d bytes. A document has at most %d, and those of "+
				"the lake in one request %d together; split the session.", len(data), most, lakePerSession)
		}
		sum := sha256.Sum256(data)
		if got := hex.EncodeToString(sum[:]); d.SHA256 != "" && !strings.EqualFold(got, d.SHA256) {
			return nil, &domain.Error{Kind: domain.Conflict, Path: lakeAt(d.Index) + "_sha256",
				Msg: "The artifact has another SHA-256, " + got + ": it is not what the session was made with."}
		}
		out = append(out, importers.File{Name: path.Base(d.Path), Data: data})
	}
	return out, nil
}

func lakeAt(document int) string { return fmt.Sprintf("documents[%d].lake", document) }

// lakeFault names the document in an error of the lake. An artifact that is not there is a fault of the request: the
// address of the request itself exists.
func lakeFault(document int, err error) error {
	var fault *domain.Error
	if !errors.As(err, &fault) || fault.Kind == domain.Internal || fault.Kind == domain.Unavailable {
		return err
	}
	out := *fault
	if out.Path = lakeAt(document); out.Kind == domain.NotFound {
		out.Kind = domain.Invalid
	}
	return &out
}

// bodyFault returns the fault of a session that is the whole body: its paths begin with the body.
func bodyFault(err error) error {
	var fault *domain.Error
	if !errors.As(err, &fault) {
		return err
	}
	out := *fault
	out.Path = strings.TrimPrefix(out.Path, "session.")
	return web.BadRequest(&out)
}
