package audit

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/filter"
	"sanad/internal/handlers/web"
	auditviews "sanad/internal/views/audit"
	"sanad/internal/views/ui"
)

// eventsPerPage is how many events the log shows at once.
const eventsPerPage = 50

// logVerified is the action of a check of the whole log; the newest one is shown above it.
const logVerified = "log.verified"

// showAudit shows the tenant's log, newest first, filtered and paged by key.
func (s *server) showAudit(c echo.Context) error { return s.auditPage(c, nil) }

func (s *server) auditPage(c echo.Context, report *auditviews.Report) error {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	chrome := s.Chrome(c)
	q, left := pageQuery(c)
	q.From, q.To = zoned(&chrome, q.From), zoned(&chrome, q.To)
	in := auditviews.Input{Report: report}
	if err := s.listAudit(c, &q, &in); err != nil {
		return err
	}
	people, err := s.actorChoices(ctx, tenant, q.Actor)
	if err != nil {
		return err
	}
	head, err := s.auditHead(ctx, tenant)
	if err != nil {
		return err
	}
	in.Query, in.People, in.Head = q, people, head
	chrome.LeftFilters = left
	return s.Render(c, web.ListStatus(&chrome), auditviews.Show(auditviews.NewPage(chrome, in)))
}

// zoned returns when a day of the address begins for the reader; the zero time stays.
func zoned(c *ui.Chrome, day time.Time) time.Time {
	if day.IsZero() {
		return day
	}
	return c.StartOf(day)
}

// listAudit reads the events of a query. Where the reader gave the title of an object instead, it lists what that may
// be; words that no title answers are taken for an id.
func (s *server) listAudit(c echo.Context, q *audit.Query, in *auditviews.Input) (err error) {
	ctx, who := c.Request().Context(), s.Who(c)
	if in.Find = findText(c); q.ObjectID == "" && in.Find != "" {
		if in.Found, err = s.objectsNamed(c, in.Find); err != nil || len(in.Found) > 0 {
			return err
		}
		q.ObjectID, in.Find = in.Find, ""
	}
	events, next, err := s.Store.Log(ctx, who.Tenant, *q)
	if err != nil {
		return err
	}
	if in.Rows, err = s.EventRows(ctx, who, events); err != nil {
		return err
	}
	in.Next = next
	if q.ObjectID != "" {
		in.Object, err = s.objectOf(ctx, who, q.ObjectID, in.Rows)
	}
	return err
}

// asked is what the address of the page asks for.
type asked struct {
	audit.Query

	action string // a family, or one action of it
}

// pageFilters are the filters of the page.
var pageFilters = filter.List[asked]{
	filter.OneOf("action", "", auditviews.Actions(), func(q *asked) *string { return &q.action }),
	filter.Text("actor", "", func(q *asked) *string { return &q.Actor }),
	filter.Text("object", "", func(q *asked) *string { return &q.ObjectID }),
	filter.At("claim", "", func(q *asked) *int { return &q.Claim }),
	filter.From("from", "", func(q *asked) *time.Time { return &q.From }),
	filter.To("to", "", func(q *asked) *time.Time { return &q.To }),
}

// pageQuery reads the filters of the address, and returns those that the page cannot use. A claim's number says nothing
// without its session: each session has a claim 1, and no index finds them all.
func pageQuery(c echo.Context) (audit.Query, []filter.Left) {
	q, left := pageFilters.Read(c.QueryParam)
	q.ObjectID, q.Limit = strings.TrimSpace(q.ObjectID), eventsPerPage
	if q.Action = q.action; q.Action != "" && !strings.Contains(q.Action, ".") {
		q.Action += "." // all of the family
	}
	if q.Claim > 0 && q.ObjectID == "" {
		q.Claim = 0
		left = append(left, filter.Left{Name: "claim", Value: c.QueryParam("claim"), Kind: filter.ClaimAlone})
	}
	q.Before, _ = strconv.ParseInt(c.QueryParam("before"), 10, 64)
	return q.Query, left
}

// actorChoices lists the actors that the log can be filtered by; chosen is always among them, by its name if it is
// known.
func (s *server) actorChoices(ctx context.Context, tenant, chosen string) ([]ui.Option, error) {
	found, err := s.Store.Actors(ctx, tenant, web.MaxChoices)
	if err != nil {
		return nil, err
	}
	found = append(found, access.Named{ID: access.Operator})
	if chosen != "" && !slices.ContainsFunc(found, func(n access.Named) bool { return n.ID == chosen }) {
		names, err := s.Store.ActorNames(ctx, tenant, []string{chosen})
		if err != nil {
			return nil, err
		}
		found = append(found, access.Named{ID: chosen, Name: names[chosen]})
	}
	out := make([]ui.Option, len(found))
	for i, n := range found {
		out[i] = ui.Option{Value: n.ID, Label: n.Name, Selected: n.ID == chosen}
	}
	return out, nil
}

// auditHead is the newest signed state of the log, and what its last check found.
func (s *server) auditHead(ctx context.Context, tenant string) (h auditviews.LogState, err error) {
	note, err := s.Store.Checkpoint(ctx, tenant)
	if err != nil {
		return h, err
	}
	if lines := strings.Split(note, "\n"); len(lines) > 3 { // origin, size, root: C2SP tlog-checkpoint
		h.Size, _ = strconv.ParseInt(lines[1], 10, 64)
		h.Root = lines[2]
	}
	found, err := s.Store.Keys(ctx, tenant)
	if err != nil {
		return h, err
	}
	for _, k := range found {
		if k.Purpose == "log" && k.RetiredAt.IsZero() {
			h.KeyID = k.ID
		}
	}
	h.Frozen = s.Store.FrozenFor(tenant)
	pass := s.Store.LastPass()
	h.ContentAt, h.Changed = pass.Finished, pass.Of(tenant)
	checks, _, err := s.Store.Log(ctx, tenant, audit.Query{Action: logVerified, Limit: 1})
	if err == nil && len(checks) > 0 {
		h.VerifiedAt, h.VerifiedOK = checkFound(&checks[0])
	}
	return h, err
}

// checkFound reads the event of a check of the log: when it was, and whether all agreed.
func checkFound(e *audit.StoredEvent) (at time.Time, ok bool) {
	f := web.FactsOf(e)
	at, _ = time.Parse(time.RFC3339Nano, e.At)
	ok, _ = f.Details["ok"].(bool)
	return at, ok
}
