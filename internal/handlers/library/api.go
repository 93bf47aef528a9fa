package library

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/library"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
	"sanad/internal/openapi"
)

// documentParts are the parts of POST /library as a form; a version has the last alone.
var documentParts = []apidoc.Part{
	{Name: "name", Description: "The name of the file by default.", Text: true},
	{Name: "folder", Description: "Names with slashes between them.", Text: true},
	{Name: "tags", Description: "With commas between them.", Text: true},
	{Name: "file", Description: "A file of a kind that a review reads.", File: true},
}

// versionPath describes the number of a version in an address.
var versionPath = map[string]*openapi.Schema{"n": openapi.Between(1, library.MaxVersions, "The version.")}

// api are the calls of the API.
func (s *server) api() []web.Endpoint {
	added := apidoc.Answer{Status: "201", Description: "The document as it is now.", Body: apiDocument{},
		Headers: []string{"Location", "ETag"}}
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/library", Action: access.ReadLibrary,
			Doc: &apidoc.Doc{
				ID: "listLibrary", Tag: "library", Summary: "List and search the documents of the library",
				Description: "By name. The id is what library names in a document of a session.",
				Query: apidoc.ListQuery(
					apidoc.TextOf("q", "Each of these words occurs in name, folder or a tag."),
					apidoc.TextOf("folder", "In this folder."), apidoc.TextOf("tag", "With this tag."),
				),
				Answers: []apidoc.Answer{apidoc.PageOf("documents", apiDocument{})},
			},
			Handle: s.apiList,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/library", Work: limits.FormUpload, Action: access.ChangeLibrary,
			Doc: &apidoc.Doc{
				ID: "addLibraryDocument", Tag: "library", Summary: "Add a document to the library",
				Description: "Its text, or its file as a form. A file that the library has already is refused (409), " +
					"with the id of its document.",
				Reads: documentInput{}, Form: documentParts, Conflicts: true,
				Example: map[string]any{"name": "Leave policy", "folder": "HR", "tags": []string{"leave"},
					"filename": "leave.md", "text": "# Leave\n\nLeave is 15 days."},
				Answers: []apidoc.Answer{added},
			},
			Idempotent: s.apiAdd,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/library/:id", Action: access.ReadLibrary, Erasable: erasure.Library,
			Doc: &apidoc.Doc{
				ID: "showLibraryDocument", Tag: "library", Summary: "Read a document of the library with its versions",
				Description: "The newest version first.", IfNoneMatch: true,
				Answers: []apidoc.Answer{
					{Status: "200", Description: "The document.", Body: apiWholeDocument{}, Headers: []string{"ETag"}},
					apidoc.Unchanged,
				},
			},
			Handle: s.apiShow,
		},
		{
			Method: http.MethodPatch, Path: "/api/v1/library/:id", Action: access.ChangeLibrary, Erasable: erasure.Library,
			IfMatch: web.RequiredMatch("document"),
			Doc: &apidoc.Doc{
				ID: "changeLibraryDocument", Tag: "library", Summary: "Rename a document, or change its folder or tags",
				Description: "Fields that are left out stay unchanged; tags replace all of the document's. It makes no version, " +
					"and sessions keep the name by which they took the document.",
				Reads: documentChange{}, Conflicts: true,
				Example: map[string]any{"folder": "HR/Policies", "tags": []string{"leave", "2026"}},
				Answers: []apidoc.Answer{{Status: "200", Description: "The document as it is now.", Body: apiDocument{},
					Headers: []string{"ETag"}}},
			},
			Idempotent: web.WithBody(s.apiChange),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/library/:id/versions", Work: limits.FormUpload,
			Action: access.ChangeLibrary, Erasable: erasure.Library, IfMatch: web.OptionalMatch("document"),
			Doc: &apidoc.Doc{
				ID: "addLibraryVersion", Tag: "library", Summary: "Add a newer version of a document",
				Description: "It changes no session and no pack: listLibraryUses says what rests on the older versions. " +
					"A file that the library has already is refused (409).",
				Reads: versionInput{}, Form: documentParts[3:], Conflicts: true,
				Example: map[string]any{"filename": "leave.md", "text": "# Leave\n\nLeave is 20 days."},
				Answers: []apidoc.Answer{added},
			},
			Idempotent: s.apiAddVersion,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/library/:id/versions/:n", Action: access.CopyLibrary,
			Erasable: erasure.Library,
			Doc: &apidoc.Doc{
				ID: "readLibraryFile", Tag: "library", Summary: "Read the file of a version", Path: versionPath,
				Answers: []apidoc.Answer{{Status: "200", Description: "Its bytes.", Body: apidoc.AnyBytes{},
					Headers: []string{"Content-Disposition"}}},
			},
			Handle: s.download,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/library/:id/uses", Work: limits.ExportWork, Action: access.ReadLibrary,
			Erasable: erasure.Library,
			Doc: &apidoc.Doc{
				ID: "listLibraryUses", Tag: "library", Summary: "List what rests on a document of the library",
				Description: "Sessions with the packs that refer to them, those of the newest version first. Of an older " +
					"version, cited says what became of the passages that claims cite in the newest one. sessions and " +
					"packs count all. attached, on the first page, are packs that have a version as a file and no session that rests " +
					"on it; attached_more says that they are more than the " + strconv.Itoa(library.MaxAttached) + " listed.",
				Query: apidoc.ListQuery(apidoc.NumberOf("version", "On this version only.", 1, library.MaxVersions)),
				Answers: []apidoc.Answer{{Status: "200", Description: "One page.", Body: apiUses{},
					Headers: []string{"Link"}}},
			},
			Handle: s.apiUses,
		},
	}
}

// apiDocument is a document of the library.
type apiDocument struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Folder    string   `json:"folder"`
	Tags      []string `json:"tags"`
	Version   int      `json:"version"`
	CreatedAt string   `json:"created_at"`
	ChangedAt string   `json:"changed_at"`
}

func newAPIDocument(d library.Document) apiDocument {
	return apiDocument{ID: d.ID, Name: d.Name, Folder: d.Folder, Tags: web.NotNull(d.Tags), Version: d.Version,
		CreatedAt: web.FormatTime(d.CreatedAt), ChangedAt: web.FormatTime(d.ChangedAt)}
}

// apiWholeDocument is a document with its versions.
type apiWholeDocument struct {
	apiDocument
	Versions []apiVersion `json:"versions"`
}

// apiVersion is a version of a document.
type apiVersion struct {
	Version   int    `json:"version"`
	Filename  string `json:"filename"`
	MediaType string `json:"media_type"`
	Size      int64  `json:"size"`
	SHA256    string `json:"sha256"`
	CreatedAt string `json:"created_at"`
	CreatedBy string `json:"created_by"` // name of the account, "" if it is gone
}

// tagOf is the entity tag of a document: its name, folder and tags are changed without a new version.
func tagOf(d *library.Document) string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{d.Name, d.Folder}, d.Tags...), "\n")))
	return web.Etag(d.ID, d.Version, hex.EncodeToString(sum[:8]))
}

// apiList pages by key, as the page does.
func (s *server) apiList(c echo.Context) (err error) {
	q := queryOf(c)
	if q.Limit, err = web.ListLimit(c); err != nil {
		return err
	}
	rows, next, err := s.Store.LibraryDocuments(c.Request().Context(), s.Who(c).Tenant, q)
	if err != nil {
		return web.BadQuery(err)
	}
	return web.SendPage(c, "documents", web.Map(rows, newAPIDocument), next)
}

// apiShow returns a document with its versions.
func (s *server) apiShow(c echo.Context) error {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	d, versions, err := s.Store.LibraryDocument(ctx, tenant, c.Param("id"))
	if err != nil {
		return err
	}
	if web.NotModified(c, tagOf(d)) {
		return c.NoContent(http.StatusNotModified)
	}
	names, err := s.Store.ActorNames(ctx, tenant, web.Map(versions, func(v library.Version) string { return v.CreatedBy }))
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, apiWholeDocument{newAPIDocument(*d),
		web.Map(versions, func(v library.Version) apiVersion {
			return apiVersion{Version: v.No, Filename: v.Filename, MediaType: v.MediaType, Size: v.Size, SHA256: v.SHA256,
				CreatedAt: web.FormatTime(v.CreatedAt), CreatedBy: names[v.CreatedBy]}
		})})
}

// versionInput is the body of POST /library/{id}/versions: the words of the file. Other files come as a form.
type versionInput struct {
	Filename string `json:"filename" need:"noun_library_filename"`
	Text     string `json:"text" need:"noun_library_text"`
}

// documentInput is the body of POST /library.
type documentInput struct {
	Name     string   `json:"name"`
	Folder   string   `json:"folder"`
	Tags     []string `json:"tags" limit:"100"`
	Filename string   `json:"filename" need:"noun_library_filename"`
	Text     string   `json:"text" need:"noun_library_text"`
}

// given is what a request of the API adds: a file, and what is said of its document.
type given struct {
	documentInput
	data    []byte
	version *library.Version
}

// apiAdd adds a document: 201.
func (s *server) apiAdd(c echo.Context) (web.Reply, error) {
	in, err := s.apiGiven(c, documentParts, func(in *documentInput) error { return web.Decode(c, in) })
	if err != nil {
		return web.Reply{}, err
	}
	d, err := library.Named(cmp.Or(in.Name, in.version.Filename), in.Folder, strings.Join(in.Tags, ","))
	if err != nil {
		return web.Reply{}, err
	}
	a, out := s.answering(c, http.StatusCreated)
	_, err = s.Store.AddLibraryDocument(c.Request().Context(), s.Who(c), d, in.version, in.data, a)
	return *out, takenFault(err)
}

// apiAddVersion adds a newer version: 201 with the document.
func (s *server) apiAddVersion(c echo.Context) (web.Reply, error) {
	ctx, id := c.Request().Context(), c.Param("id")
	if _, _, err := s.Store.LibraryDocument(ctx, s.Who(c).Tenant, id); err != nil { // before the file is read
		return web.Reply{}, err
	}
	in, err := s.apiGiven(c, documentParts[3:], func(in *documentInput) error {
		var v versionInput
		err := web.Decode(c, &v)
		in.Filename, in.Text = v.Filename, v.Text
		return err
	})
	if err != nil {
		return web.Reply{}, err
	}
	a, out := s.answering(c, http.StatusCreated)
	_, err = s.Store.AddLibraryVersion(ctx, s.Who(c), id, in.version, in.data, a)
	return *out, takenFault(err)
}

// documentChange is the body of PATCH /library/{id}. Tags replace all that the document has.
type documentChange struct {
	Name   *string   `json:"name"`
	Folder *string   `json:"folder"`
	Tags   *[]string `json:"tags" limit:"100"`
}

// apiChange renames a document, or changes its folder or tags: 200.
func (s *server) apiChange(c echo.Context, in documentChange) (web.Reply, error) {
	a, out := s.answering(c, http.StatusOK)
	_, err := s.Store.ChangeLibraryDocument(c.Request().Context(), s.Who(c), c.Param("id"),
		func(is *library.Document) (*library.Document, error) {
			name, folder, tags := is.Name, is.Folder, is.Tags
			if in.Name != nil {
				name = *in.Name
			}
			if in.Folder != nil {
				folder = *in.Folder
			}
			if in.Tags != nil {
				tags = *in.Tags
			}
			return library.Named(name, folder, strings.Join(tags, ","))
		}, a)
	return *out, err
}

// answering returns how a change is answered, with the answer once it is made. If-Match is checked before it.
func (s *server) answering(c echo.Context, status int) (db.LibraryAnswering, *web.Reply) {
	out := &web.Reply{Status: status}
	check := func(d *library.Document) error { return web.CheckTag(c, tagOf(d), d.Version) }
	return db.LibraryAnswering{Key: web.ReceiptKey(c), Check: check, Receipt: func(d *library.Document) (*db.Receipt, error) {
		out.Body, out.Headers = newAPIDocument(*d), map[string]string{"ETag": tagOf(d)}
		if status == http.StatusCreated {
			out.Headers["Location"] = "/api/v1/library/" + d.ID
		}
		return out.Receipt(c)
	}}, out
}

// apiGiven reads a request that brings a file: JSON, or a form with these parts.
func (s *server) apiGiven(c echo.Context, parts []apidoc.Part, decode func(*documentInput) error) (*given, error) {
	in, field := &given{}, "text"
	if web.IsForm(c.Request()) {
		field = "file"
		form, err := s.ReadForm(c, int64(cmp.Or(s.imports.DocumentBytes, importers.DocumentBytes))+1<<20, parts)
		if err != nil {
			return nil, err
		}
		defer form.RemoveAll()                                                          //nolint:errcheck // temporary files; the system clears what stays
		value := func(name string) string { return strings.Join(form.Value[name], "") } // one at most
		in.Name, in.Folder, in.Tags = value("name"), value("folder"), form.Value["tags"]
		file, err := fileOf(c.Request())
		if err == nil && file == nil {
			err = domain.Refuse(domain.Invalid, "file", "refused_library_file")
		}
		if err != nil {
			return nil, err
		}
		in.Filename, in.data = file.Name, file.Data
	} else {
		if err := decode(&in.documentInput); err != nil {
			return nil, err
		}
		in.data = []byte(in.Text)
	}
	v, err := importers.ReadLibrary(c.Request().Context(), importers.File{Name: in.Filename, Data: in.data}, s.imports)
	in.version = v
	return in, placed(err, field)
}

// placed names the field that a fault in a file is about.
func placed(err error, field string) error {
	var fault *domain.Error
	if !errors.As(err, &fault) || !strings.HasPrefix(fault.Path, "files") {
		return err
	}
	out := *fault
	out.Path = field
	return &out
}

// takenFault tells a program which document has the file already.
func takenFault(err error) error {
	var taken *library.Taken
	if !errors.As(err, &taken) {
		return err
	}
	return domain.Refuse(domain.Conflict, "file", "refused_library_taken_id", "ID", taken.ID, "Name", taken.Name,
		"N", taken.No)
}

// apiUses answers GET /library/{id}/uses.
type apiUses struct {
	Sessions int          `json:"sessions"`
	Packs    int          `json:"packs"`
	Uses     []apiUse     `json:"uses"`
	Attached []apiPackUse `json:"attached"`
	More     bool         `json:"attached_more"`
	Next     *string      `json:"next"`
}

// apiUse is a session that rests on a version.
type apiUse struct {
	SessionID string     `json:"session_id"`
	Title     string     `json:"title"`
	Version   int        `json:"version"`
	Packs     []apiPack  `json:"packs"`
	Cited     []apiCited `json:"cited"`
	More      bool       `json:"cited_more"`
}

// apiPackUse is a pack that has the file of a version.
type apiPackUse struct {
	apiPack
	Version int `json:"version"`
}

// apiPack is a pack that refers to such a session.
type apiPack struct {
	PackID string `json:"pack_id"`
	Title  string `json:"title"`
	State  string `json:"state"`
}

func newAPIPack(p library.PackUse) apiPack { return apiPack{p.ID, p.Title, p.State} }

// apiCited is a passage of an older version that a claim cites.
type apiCited struct {
	Claim   int           `json:"claim"`
	Text    string        `json:"text"`
	Page    int           `json:"page_number"`
	Heading []string      `json:"heading_path"`
	Now     library.Fate  `json:"now"`
	At      *apiCitedHere `json:"at"`
}

// apiCitedHere is where the words stand in the newest version.
type apiCitedHere struct {
	Page    int      `json:"page_number"`
	Heading []string `json:"heading_path"`
}

func newAPICited(x library.Cited) apiCited {
	out := apiCited{Claim: x.Claim, Text: x.Words, Page: x.Page, Heading: web.NotNull(x.Heading), Now: x.Now}
	if x.Now != library.Lost {
		out.At = &apiCitedHere{x.At.Page, web.NotNull(x.At.Heading)}
	}
	return out
}

// apiUses pages by key, as the page does.
func (s *server) apiUses(c echo.Context) (err error) {
	ctx, tenant, id := c.Request().Context(), s.Who(c).Tenant, c.Param("id")
	q := library.UsesQuery{From: 1, To: library.MaxVersions, After: c.QueryParam("after"), Compare: true}
	if q.Limit, err = web.ListLimit(c); err != nil {
		return err
	}
	if v := c.QueryParam("version"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > library.MaxVersions {
			return web.WithStatus(http.StatusBadRequest,
				domain.Refuse(domain.Invalid, "version", "refused_whole_number", "N", library.MaxVersions))
		}
		q.From, q.To = n, n
	}
	uses, err := s.Store.LibraryUses(ctx, tenant, id, q)
	if err != nil {
		return web.BadQuery(err)
	}
	if err := s.onlyReadable(c, uses); err != nil {
		return err
	}
	if uses.Next != "" {
		link := c.Request().URL.Query()
		link.Set("after", uses.Next)
		c.Response().Header().Set("Link", "<"+c.Request().URL.EscapedPath()+"?"+link.Encode()+`>; rel="next"`)
	}
	return web.SendJSON(c, http.StatusOK, apiUses{Sessions: uses.Sessions, Packs: uses.Packs, Next: web.OrNull(uses.Next),
		More:     uses.AttachedMore,
		Attached: web.Map(uses.Attached, func(p library.PackUse) apiPackUse { return apiPackUse{newAPIPack(p), p.Version} }),
		Uses: web.Map(uses.Rows, func(u library.Use) apiUse {
			return apiUse{SessionID: u.SessionID, Title: u.Title, Version: u.Version, More: u.Cut,
				Packs: web.Map(u.Packs, newAPIPack),
				Cited: web.Map(u.Cited, newAPICited)}
		})})
}

// onlyReadable leaves out the sessions and packs that the caller may not read; they are counted all the same.
func (s *server) onlyReadable(c echo.Context, uses *library.Uses) error {
	if s.ByRoles() {
		return nil // a role is the same for every object
	}
	may, mayPack := s.Readable(c.Request().Context(), s.Who(c)), s.ReadablePack(c)
	var failed error
	uses.Rows = slices.DeleteFunc(uses.Rows, func(u library.Use) bool {
		ok, err := may(access.Object{Kind: "session", ID: u.SessionID})
		failed = errors.Join(failed, err)
		return !ok
	})
	hidden := func(session string) func(library.PackUse) bool {
		return func(p library.PackUse) bool {
			ok, err := mayPack(p.ID, session)
			failed = errors.Join(failed, err)
			return !ok
		}
	}
	for i := range uses.Rows {
		u := &uses.Rows[i]
		u.Packs = slices.DeleteFunc(u.Packs, hidden(u.SessionID))
	}
	uses.Attached = slices.DeleteFunc(uses.Attached, func(p library.PackUse) bool {
		session, err := s.Store.SessionOfPack(c.Request().Context(), s.Who(c).Tenant, p.ID)
		failed = errors.Join(failed, err)
		return hidden(session)(p)
	})
	return failed
}
