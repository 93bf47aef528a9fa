package main

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"sanad/cmd/web/demo"
	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/letterhead"
	"sanad/internal/importers"
)

// demoOverride is a verdict by the judge that a person who reads the passage would correct.
type demoOverride struct {
	claim   int // its number
	verdict ledger.Verdict
	reason  string
}

// The reviews of the demo user Yousef in the vendor review, so that the demo shows a review in progress and differences
// between the judge and a person. The other claims wait.
var (
	demoConfirms = []int{2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 29, 31,
		32, 33, 35, 36, 38, 39, 41, 42}

	// demoReasons are those of confirmations that say why, by the claim's number.
	demoReasons = map[int]string{
		35: "Only a struck-out line of the whitepaper says so; no valid text of the documents speaks of energy.",
	}

	demoOverrides = []demoOverride{
		{13, ledger.Contradicted,
			"Within the first twelve months the notice costs a charge, so \"without any charge\" is wrong."},
		{27, ledger.Contradicted,
			"The twelve months are those of keys that Rimal manages; customers set the interval of theirs."},
		{43, ledger.Contradicted, "These are targets and not commitments."},
	}
)

// demoAssign gives a session to a reviewer, unless somebody has it.
func demoAssign(ctx context.Context, store *db.Store, lead, reviewer access.Actor, tenant db.Tenant, session string) error {
	old, err := store.Session(ctx, tenant.ID, session)
	if err != nil || old.Seats[0].ID != "" {
		return err
	}
	return store.Reassign(ctx, lead, session, tenant.FreshnessMonths, func(s *ledger.Session) error {
		return s.SetReviewers(ledger.Seats{{ID: reviewer.ID, Name: reviewer.User}, s.Seats[1]}, s.Second, store.Now())
	})
}

// demoReviews stores Yousef's reviews of a part of the session. A session that has reviews is left unchanged.
func demoReviews(ctx context.Context, store *db.Store, tenant db.Tenant, by access.Actor, session string) error {
	old, err := store.Session(ctx, tenant.ID, session)
	if err != nil || slices.ContainsFunc(old.Claims, func(c ledger.Claim) bool { return len(c.Reviews) > 0 }) {
		return err
	}
	at := store.Now().UTC().Truncate(time.Microsecond)
	_, err = store.UpdateSession(ctx, by, session, db.ClaimReviewed(session, demoConfirms[0], ledger.Confirm),
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			add := func(claim int, in ledger.ReviewInput) error {
				in.By = by.ID
				r, err := s.AddReview(claim-1, in, newID(), by.User, string(by.Role), at)
				if err == nil && r.Action != in.Action {
					err = fmt.Errorf("the demo's override of claim %d changes no verdict", claim)
				}
				return err
			}
			for _, n := range demoConfirms {
				if err := add(n, ledger.ReviewInput{Action: ledger.Confirm, Reason: demoReasons[n]}); err != nil {
					return nil, nil, err
				}
			}
			for _, o := range demoOverrides {
				if err := add(o.claim,
					ledger.ReviewInput{Action: ledger.Override, Verdict: o.verdict, Reason: o.reason}); err != nil {
					return nil, nil, err
				}
			}
			l := ledger.Assess(s, tenant.FreshnessMonths)
			return &l, nil, nil
		})
	return err
}

// demoClock is the clock of the demo's store. While its examples are made it stands where it was set, and never goes back;
// afterwards it is the machine's.
type demoClock struct{ at atomic.Pointer[time.Time] }

func (c *demoClock) set(at time.Time) { c.at.Store(&at) }
func (c *demoClock) release()         { c.at.Store(nil) }

// wait moves the clock on while it is set.
func (c *demoClock) wait(d time.Duration) {
	if at := c.at.Load(); at != nil {
		c.set(at.Add(d))
	}
}

func (c *demoClock) now() time.Time {
	if at := c.at.Load(); at != nil {
		return *at
	}
	return time.Now()
}

// isNew reports whether there is no database yet.
func (c *config) isNew(ctx context.Context) (bool, error) {
	s, _, err := db.Inspecting(ctx, db.Options{Dir: c.data, Database: c.database})
	if err != nil || s.DB == nil {
		return err == nil, err
	}
	return false, s.DB.Close()
}

// demoHistory stores the sessions of the weeks before, each reviewed by Yousef the day after it came in. It sets the
// clock from one to the next.
func demoHistory(ctx context.Context, in app.Importer, tenant db.Tenant, clock *demoClock, today time.Time) error {
	past, err := demo.History()
	if err != nil {
		return err
	}
	members, err := in.Store.Members(ctx, tenant.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(members, func(m access.Member) bool { return m.Login == "yousef" })
	if i < 0 {
		return fmt.Errorf("the demo has no reviewer")
	}
	by := access.Actor{Tenant: tenant.ID, ID: members[i].ID, User: members[i].Name, Role: members[i].Role, Human: true}
	for _, p := range past {
		in.Now = today.AddDate(0, 0, p.DaysLater-7*p.WeeksAgo)
		clock.set(in.Now)
		taken, err := importFile(ctx, in, p.Session, importers.Options{})
		if err != nil {
			return err
		}
		clock.set(in.Now.AddDate(0, 0, 1))
		if err := demoAssign(ctx, in.Store, by, by, tenant, taken.SessionID); err != nil {
			return err
		}
		if err := reviewPast(ctx, in.Store, tenant, by, taken.SessionID, p, clock.now()); err != nil {
			return err
		}
	}
	return nil
}

// reviewPast confirms and overrides the claims of a session of the demo's history.
func reviewPast(ctx context.Context, store *db.Store, tenant db.Tenant, by access.Actor, id string, p demo.Past, at time.Time) error {
	_, err := store.UpdateSession(ctx, by, id, db.ClaimReviewed(id, 1, ledger.Confirm),
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			for n := range len(s.Claims) - p.Waiting {
				review := ledger.ReviewInput{Action: ledger.Confirm, By: by.ID}
				for _, o := range p.Overrides {
					if o.Claim == n+1 {
						review.Action, review.Verdict, review.Reason = ledger.Override, o.Verdict, o.Reason
					}
				}
				r, err := s.AddReview(n, review, newID(), by.User, string(by.Role), at)
				if err != nil {
					return nil, nil, err
				}
				if r.Action != review.Action {
					return nil, nil, fmt.Errorf("the demo's override of claim %d changes no verdict", n+1)
				}
			}
			l := ledger.Assess(s, tenant.FreshnessMonths)
			return &l, nil, nil
		})
	return err
}

// demoOrganisation gives the demo's tenant an invented organisation's name and letterhead, and the calendar of one in
// Riyadh. It comes before anything is signed: a signed file keeps the letterhead that it was signed with.
func demoOrganisation(ctx context.Context, store *db.Store, tenant db.Tenant) (db.Tenant, error) {
	by := access.AtCommandLine(tenant.ID)
	logo, err := demo.FS.ReadFile(demo.Logo)
	if err != nil {
		return tenant, err
	}
	letter := letterhead.Letterhead{Name: demoName + " · مجموعة روابي نجد",
		Address: "Demo organisation, invented · جهة افتراضية للتجربة\nRiyadh · الرياض", Logo: logo}
	if err := store.RenameTenant(ctx, by, demoName); err != nil {
		return tenant, err
	}
	if err := store.SetLetterhead(ctx, by, letter); err != nil {
		return tenant, err
	}
	if err := store.SetTimeZone(ctx, by, "Asia/Riyadh"); err != nil {
		return tenant, err
	}
	if err := store.SetWeekStart(ctx, by, access.Sunday); err != nil {
		return tenant, err
	}
	if err := store.SetCalendar(ctx, by, access.Hijri); err != nil {
		return tenant, err
	}
	return store.Tenant(ctx, tenant.ID)
}

// demoName is the name of the demo's tenant.
const demoName = "Rawabi Najd Group"
