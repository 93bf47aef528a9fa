package library

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/library"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	libraryviews "sanad/internal/views/library"
)

const (
	perPage     = 50
	usesPerPage = 25
	formMemory  = 8 << 20
)

// list shows the documents, paged by key.
func (s *server) list(c echo.Context) error {
	ctx, tenant, q := c.Request().Context(), s.Who(c).Tenant, queryOf(c)
	q.Limit = perPage
	rows, next, err := s.Store.LibraryDocuments(ctx, tenant, q)
	if err != nil {
		return err
	}
	folders, err := s.Store.LibraryFolders(ctx, tenant)
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, libraryviews.List(libraryviews.NewListPage(s.Chrome(c), libraryviews.ListInput{
		Rows: rows, Query: q, Next: next, Folders: folders,
	})))
}

// addForm shows the form that adds a document.
func (s *server) addForm(c echo.Context) error {
	return s.addPage(c, http.StatusOK, libraryviews.Form{})
}

func (s *server) addPage(c echo.Context, status int, form libraryviews.Form) error {
	folders, err := s.Store.LibraryFolders(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	form.DocumentMiB = s.documentMiB()
	return s.Render(c, status, libraryviews.New(libraryviews.NewNewDocumentPage(s.ChromeAt(c, "/library/new"), form,
		folders)))
}

func (s *server) documentMiB() int {
	return cmp.Or(s.imports.DocumentBytes, importers.DocumentBytes) >> 20
}

// add handles that form: 303 to the document.
func (s *server) add(c echo.Context) error {
	version, data, form, err := s.read(c)
	if err != nil {
		return s.refused(err, form, func(status int) error { return s.addPage(c, status, *form) })
	}
	d, err := library.Named(cmp.Or(form.Name, version.Filename), form.Folder, form.Tags)
	if err == nil {
		d, err = s.Store.AddLibraryDocument(c.Request().Context(), s.Who(c), d, version, data, db.LibraryAnswering{})
	}
	if err != nil {
		return s.refused(err, form, func(status int) error { return s.addPage(c, status, *form) })
	}
	return web.SeeOther(c, "/library/"+d.ID+"?done=added")
}

// read reads a form with a file; what was typed comes also with an error.
func (s *server) read(c echo.Context) (*library.Version, []byte, *libraryviews.Form, error) {
	r, form := c.Request(), &libraryviews.Form{}
	if err := web.ParseFiles(c, int64(cmp.Or(s.imports.DocumentBytes, importers.DocumentBytes))+1<<20,
		formMemory); err != nil {
		return nil, nil, form, err
	}
	defer r.MultipartForm.RemoveAll() //nolint:errcheck // temporary files; the system clears what stays
	form.Name, form.Folder, form.Tags = r.FormValue("name"), r.FormValue("folder"), r.FormValue("tags")
	file, err := fileOf(r)
	if err == nil && file == nil {
		err = domain.Refuse(domain.Invalid, "file", "refused_library_file")
	}
	if err != nil {
		return nil, nil, form, err
	}
	v, err := importers.ReadLibrary(r.Context(), *file, s.imports)
	return v, file.Data, form, err
}

// refused shows a form again with what was typed; internal errors go to the error page.
func (s *server) refused(err error, form *libraryviews.Form, again func(status int) error) error {
	status := web.FaultOf(err).Status
	if status >= http.StatusInternalServerError || domain.KindOf(err) == domain.NotFound {
		return err
	}
	form.Fault = web.UploadFault(err)
	var taken *library.Taken
	if errors.As(err, &taken) {
		form.Taken = taken.Ref
	}
	return again(status)
}

// show shows a document with its versions and what rests on them.
func (s *server) show(c echo.Context) error { return s.page(c, http.StatusOK, nil, nil) }

// page shows a document; about and next are forms that were refused, nil if none.
func (s *server) page(c echo.Context, status int, about, next *libraryviews.Form) error {
	ctx, tenant, id := c.Request().Context(), s.Who(c).Tenant, c.Param("id")
	d, versions, err := s.Store.LibraryDocument(ctx, tenant, id)
	if err != nil {
		return err
	}
	in := libraryviews.Input{Document: d, Versions: versions, Form: libraryviews.FormOf(d)}
	if about != nil {
		in.Form = *about
	}
	if next != nil {
		in.Next = *next
	}
	in.Next.DocumentMiB = s.documentMiB()
	q := library.UsesQuery{From: 1, To: d.Version, After: c.QueryParam("after"), Limit: usesPerPage, Compare: true}
	if n, _ := strconv.Atoi(c.QueryParam("version")); n > 0 && n <= d.Version { // anything else means all
		in.Of, q.From, q.To = n, n, n
	}
	if in.Uses, err = s.Store.LibraryUses(ctx, tenant, id, q); err != nil {
		return err
	}
	if err := s.onlyReadable(c, in.Uses); err != nil {
		return err
	}
	if may, err := s.May(c, access.EraseContent, access.Object{}); err != nil {
		return err
	} else if may {
		if in.Hold, err = s.holdOn(c, id); err != nil {
			return err
		}
	}
	people := make([]string, len(versions))
	for i := range versions {
		people[i] = versions[i].CreatedBy
	}
	if in.Names, err = s.Store.ActorNames(ctx, tenant, people); err != nil {
		return err
	}
	return s.Render(c, status, libraryviews.Show(libraryviews.NewPage(s.ChromeAt(c, "/library/"+id), in)))
}

// holdOn returns the legal hold that is in force on a document, nil if none is.
func (s *server) holdOn(c echo.Context, id string) (*erasure.Hold, error) {
	all, err := s.Store.LegalHolds(c.Request().Context(), s.Who(c).Tenant)
	for i := range all {
		if all[i].Kind == erasure.Library && all[i].ObjectID == id {
			return &all[i], err
		}
	}
	return nil, err
}

// change sets name, folder and tags: 303 to the document.
func (s *server) change(c echo.Context) error {
	form := &libraryviews.Form{Name: c.FormValue("name"), Folder: c.FormValue("folder"), Tags: c.FormValue("tags")}
	d, err := library.Named(form.Name, form.Folder, form.Tags)
	if err == nil {
		_, err = s.Store.ChangeLibraryDocument(c.Request().Context(), s.Who(c), c.Param("id"),
			func(*library.Document) (*library.Document, error) { return d, nil }, db.LibraryAnswering{})
	}
	if err != nil {
		return s.refused(err, form, func(status int) error { return s.page(c, status, form, nil) })
	}
	return web.SeeOther(c, "/library/"+c.Param("id")+"?done=changed")
}

// addVersion adds a newer version: 303 to the document, which says what rests on the older ones.
func (s *server) addVersion(c echo.Context) error {
	if _, _, err := s.Store.LibraryDocument(c.Request().Context(), s.Who(c).Tenant, c.Param("id")); err != nil {
		return err
	}
	version, data, form, err := s.read(c)
	if err == nil {
		_, err = s.Store.AddLibraryVersion(c.Request().Context(), s.Who(c), c.Param("id"), version, data,
			db.LibraryAnswering{})
	}
	if err != nil {
		return s.refused(err, form, func(status int) error { return s.page(c, status, nil, form) })
	}
	return web.SeeOther(c, "/library/"+c.Param("id")+"?done=version")
}
