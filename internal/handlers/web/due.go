package web

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/due"
	"sanad/internal/handlers/web/apidoc"
)

// Due is a due date in the API.
type Due struct {
	On     *string   `json:"due_on"`    // 2026-11-30; null if none
	Zone   string    `json:"time_zone"` // of the IANA database; where the day ends
	LateAt *string   `json:"late_at"`   // when the day ends; null if none
	State  due.State `json:"state"`     // none, later, soon, late, done
	SetBy  *string   `json:"set_by"`    // shown name; null if there never was one
	SetAt  *string   `json:"set_at"`
}

// NewDue returns a due date as it stands now.
func (s *Server) NewDue(d *due.Date) Due {
	out := Due{On: OrNull(d.Day), Zone: d.Zone, State: d.State(s.Now()), SetBy: OrNull(d.SetName)}
	if d.Zone == "" {
		out.Zone = "UTC"
	}
	if d.Day != "" {
		out.LateAt = FormatTimeOrNull(d.LateAt)
	}
	out.SetAt = FormatTimeOrNull(d.SetAt)
	return out
}

// DueZone names the time zone in which a due date ends, nil if none.
func DueZone(d *due.Date) *string {
	if d.Day == "" {
		return nil
	}
	return new(cmp.Or(d.Zone, "UTC"))
}

// dueInput is the body of PUT …/due.
type dueInput struct {
	On *string `json:"due_on"` // 2026-11-30; null removes the date
}

// dueTag is the ETag of a due date.
func dueTag(id string, d *due.Date) string { return Etag(id+".due", d.Revision) }

// DueChecker says within a transaction whether the caller may change a due date.
type DueChecker func(*db.DueNow) error

// DueCalls returns the two operations of the API on the due date of a kind of object, which lack their actions.
func (s *Server) DueCalls(path, kind, object, tag, noun, about string, check func(echo.Context) DueChecker) []Endpoint {
	described := []apidoc.Answer{{Status: "200", Description: "The due date.", Body: Due{}, Headers: []string{"ETag"}}}
	return []Endpoint{
		{
			Method: http.MethodGet, Path: path, Object: kind,
			Doc: &apidoc.Doc{
				ID: "show" + noun + "Due", Tag: tag, Summary: "Read the due date of a " + tag[:len(tag)-1],
				Description: "due_on is null if none is set. That day ends at midnight in time_zone, at the instant late_at.",
				IfNoneMatch: true, Answers: append(slices.Clone(described), apidoc.Unchanged),
			},
			Handle: func(c echo.Context) error {
				d, err := s.Store.Due(c.Request().Context(), s.Who(c).Tenant, object, c.Param("id"))
				if err != nil {
					return err
				}
				if NotModified(c, dueTag(c.Param("id"), &d)) {
					return c.NoContent(http.StatusNotModified)
				}
				return SendJSON(c, http.StatusOK, s.NewDue(&d))
			},
		},
		{
			Method: http.MethodPut, Path: path, Object: kind, IfMatch: RequiredMatch("due date"),
			Doc: &apidoc.Doc{
				ID: "set" + noun + "Due", Tag: tag, Summary: "Set, change or remove the due date of a " + tag[:len(tag)-1],
				Description: about + " due_on is a day from today to ten years ahead; it ends at midnight of the time " +
					"zone that the tenant has when it is set (time_zone in the answer; UTC by default). null removes the date. The ETag is that of the due date, also of one that was never set.",
				Reads: dueInput{}, Example: map[string]any{"due_on": "2026-11-30"}, Conflicts: true, Answers: described,
			},
			Idempotent: func(c echo.Context) (Reply, error) { return s.putDue(c, object, check(c)) },
		},
	}
}

func (s *Server) putDue(c echo.Context, object string, may DueChecker) (out Reply, err error) {
	var in dueInput
	if err := Decode(c, &in); err != nil {
		return out, err
	}
	day := ""
	if in.On != nil {
		if day, err = due.Parse(*in.On); err != nil {
			return out, err
		}
		if day == "" {
			return out, due.NoDay()
		}
	}
	id := c.Param("id")
	_, err = s.Store.SetDue(c.Request().Context(), s.Who(c), &db.DueChange{Object: object, ID: id, Day: day,
		Key:   ReceiptKey(c),
		Check: func(revision int) error { return CheckMatch(c, id+".due", revision) }, May: may,
		Receipt: func(d *due.Date) (*db.Receipt, error) {
			out = Reply{Status: http.StatusOK, Body: s.NewDue(d), Headers: map[string]string{"ETag": dueTag(id, d)}}
			return out.Receipt(c)
		}})
	return out, err
}

// SaveDue changes a due date as the form on a page says, which was read already: the day in due_on, or none if remove
// was pressed, and the revision that the page showed.
func (s *Server) SaveDue(c echo.Context, object string, may DueChecker) error {
	day, err := due.Parse(c.FormValue("due_on"))
	if c.FormValue("remove") != "" {
		day, err = "", nil
	} else if err == nil && day == "" {
		err = due.NoDay()
	}
	if err != nil {
		return err
	}
	_, err = s.Store.SetDue(c.Request().Context(), s.Who(c), &db.DueChange{Object: object, ID: c.Param("id"), Day: day,
		May: may,
		Check: func(revision int) error {
			if c.FormValue("revision") != strconv.Itoa(revision) {
				return domain.Refuse(domain.Conflict, "", "refused_due_changed")
			}
			return nil
		}})
	return err
}
