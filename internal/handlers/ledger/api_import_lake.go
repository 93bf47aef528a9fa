package ledger

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/library"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
	"sanad/internal/words"
)

// lakePerRequest bounds the artifacts that one request reads from the lake together, in bytes.
const lakePerRequest = 16 << 20

// keptPerRequest bounds what the sessions of one request keep of them, in bytes.
const keptPerRequest = 256 << 20

// apiImportOfLake imports a session whose JSON names documents of the lake: they are read as uploaded files are, and
// kept as they are, with their digests. Nothing but the tenant's part of the configured lake is asked.
func (s *server) apiImportOfLake(c echo.Context, data []byte, named []importers.LakeDocument) (web.Reply, error) {
	theirs, err := s.lakeSize(c, named, newLakeRoom())
	if err != nil {
		return web.Reply{}, err
	}
	var out web.Reply
	err = s.withLake(c, len(data)+theirs, named, func(c echo.Context, files []importers.File) (err error) {
		out, err = s.apiImportForm(c, lakeForm(data, named, files), bodyFault)
		return err
	})
	return out, err
}

// lakeForm returns a session with the files of the lake that it names.
func lakeForm(data []byte, named []importers.LakeDocument, files []importers.File) importers.Form {
	form := importers.Form{Session: data, Files: files}
	for _, d := range named {
		form.Lake = append(form.Lake, d.Path)
	}
	return form
}

// withLake reads artifacts whose sizes lakeSize has looked at, and runs what needs them, when there is memory for all
// of it: size is the bytes of theirs and of what names them, and the request has taken memory for its body only.
func (s *server) withLake(c echo.Context, size int, named []importers.LakeDocument,
	run func(c echo.Context, files []importers.File) error,
) error {
	r := c.Request()
	length := r.ContentLength
	defer func() {
		r.ContentLength = length
		c.SetRequest(r)
	}()
	return s.WithRoom(c, limits.FormUpload, size, func(c echo.Context) error {
		files, err := s.lakeFiles(c, named)
		if err != nil {
			return err
		}
		return run(c, files)
	})
}

// lakeRoom is what a request may still read from the lake and the library. A file that several sessions of it name counts
// once, but each time within a session, which holds it as often.
type lakeRoom struct {
	bytes int
	kept  int                             // that its sessions may keep of them, each its own copy
	seen  map[importers.LakeDocument]bool // by earlier sessions
}

func newLakeRoom() *lakeRoom {
	return &lakeRoom{bytes: lakePerRequest, kept: keptPerRequest, seen: map[importers.LakeDocument]bool{}}
}

// fileOf names a file whatever the place of the document that names it.
func fileOf(d importers.LakeDocument) importers.LakeDocument {
	d.Index, d.SHA256 = 0, ""
	return d
}

// lakeSize returns how many bytes artifacts have, for which it takes room. None is read. Faults name the document.
func (s *server) lakeSize(c echo.Context, named []importers.LakeDocument, room *lakeRoom) (all int, err error) {
	if err := s.mayTake(c, named); err != nil {
		return 0, err
	}
	for _, d := range named {
		if sum, err := hex.DecodeString(d.SHA256); d.SHA256 != "" && (err != nil || len(sum) != sha256.Size) {
			return 0, domain.Refuse(domain.Invalid, shaAt(d), "refused_sha_256_64")
		}
		size, err := s.sizeOf(c, d)
		if err != nil {
			return 0, lakeFault(d, err)
		}
		n, most := int(size), cmp.Or(s.imports.DocumentBytes, importers.DocumentBytes)
		further := n
		if room.seen[fileOf(d)] {
			further = 0
		}
		if n > most || further > room.bytes || n > room.kept {
			return 0, domain.Refuse(domain.TooLarge, lakeAt(d), "refused_artifact_bytes_document", "N", n,
				"Most", most, "All", lakePerRequest)
		}
		room.bytes, room.kept = room.bytes-further, room.kept-n
		all += n
	}
	for _, d := range named {
		room.seen[fileOf(d)] = true
	}
	return all, nil
}

// mayTake refuses a caller who may not read the lake or the library, as far as documents are of them.
func (s *server) mayTake(c echo.Context, named []importers.LakeDocument) error {
	asked := map[access.Action]bool{}
	for _, d := range named {
		what := access.ReadBundle
		if d.Library.ID != "" {
			what = access.ReadLibrary
		}
		if asked[what] {
			continue
		}
		asked[what] = true
		if err := s.Require(c, what); err != nil {
			return err
		}
		if what == access.ReadBundle && s.Lake == nil {
			return &domain.Error{Kind: domain.Unavailable, Path: lakeAt(d), Message: words.Msg("refused_server_lake_ask")}
		}
	}
	return nil
}

// sizeOf returns how many bytes a file of the lake or of the library has.
func (s *server) sizeOf(c echo.Context, d importers.LakeDocument) (int64, error) {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	if d.Library.ID == "" {
		return s.Lake.Of(tenant).Size(ctx, d.Path)
	}
	v, err := s.Store.LibraryVersion(ctx, tenant, d.Library)
	return v.Size, err
}

// fromLibrary reads the file of a version of the library.
func (s *server) fromLibrary(c echo.Context, ref library.Ref) (importers.File, error) {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	names, err := s.Store.LibraryNames(ctx, tenant, []string{ref.ID})
	if err != nil {
		return importers.File{}, err
	}
	r, v, err := s.Store.LibraryFile(ctx, tenant, ref)
	if err != nil {
		return importers.File{}, err
	}
	defer r.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(r)
	return importers.File{Name: v.Filename, Data: data, Title: names[ref.ID].Name,
		Library: library.Ref{ID: ref.ID, No: v.No}}, err
}

// lakeFiles reads files whose sizes lakeSize has looked at. Faults name the document.
func (s *server) lakeFiles(c echo.Context, named []importers.LakeDocument) ([]importers.File, error) {
	out := make([]importers.File, len(named))
	for i, d := range named {
		f, err := s.lakeFile(c, d)
		if err != nil {
			return nil, lakeFault(d, err)
		}
		sum := sha256.Sum256(f.Data)
		switch got := hex.EncodeToString(sum[:]); {
		case d.SHA256 == "" || strings.EqualFold(got, d.SHA256):
		case d.Library.ID != "":
			return nil, domain.Refuse(domain.Conflict, shaAt(d), "refused_library_other", "N", f.Library.No, "Hash", got)
		default:
			return nil, domain.Refuse(domain.Conflict, shaAt(d), "refused_artifact_other", "Hash", got)
		}
		out[i] = f
	}
	return out, nil
}

// lakeFile reads a file of the lake or of the library.
func (s *server) lakeFile(c echo.Context, d importers.LakeDocument) (importers.File, error) {
	if d.Library.ID != "" {
		return s.fromLibrary(c, d.Library)
	}
	data, err := s.Lake.Of(s.Who(c).Tenant).Get(c.Request().Context(), d.Path)
	return importers.File{Name: path.Base(d.Path), Data: data}, err
}

func lakeAt(d importers.LakeDocument) string {
	if d.Library.ID != "" {
		return fmt.Sprintf("documents[%d].library", d.Index)
	}
	return fmt.Sprintf("documents[%d].lake", d.Index)
}

// shaAt is where a document says which digest its file must have.
func shaAt(d importers.LakeDocument) string { return fmt.Sprintf("documents[%d].lake_sha256", d.Index) }

// lakeFault names the document in an error of the lake or of the library. A file that is not there is a fault of the
// request: the address of the request itself exists.
func lakeFault(d importers.LakeDocument, err error) error {
	var fault *domain.Error
	if !errors.As(err, &fault) || fault.Kind == domain.Internal || fault.Kind == domain.Unavailable {
		return err
	}
	out := *fault
	if out.Path = lakeAt(d); out.Kind == domain.NotFound {
		out.Kind = domain.Invalid
		if d.Library.ID != "" {
			out.Message = words.Msg("refused_library_none")
		}
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
