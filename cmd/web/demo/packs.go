package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/importers"
)

// The decisions of the demo, each at another stage of a pack's life cycle.
const (
	signedOff  = "decision-hospital-fit.json"     // signed off, with a memo written by a person
	inReview   = "decision-supplier-payment.json" // in review: a tool did not do what was intended
	returned   = "decision-credit-limit.json"     // returned with reasons
	superseded = "decision-cloud-renewal.json"    // signed off, and superseded by its second version
	missing    = "decision-tender-reply.json"     // must have a pack and has none
)

// Decisions lists the example decisions in the order in which they are imported.
var Decisions = []string{signedOff, inReview, returned, superseded, missing}

// Packs adds the decisions and packs of the demo to a tenant. It leaves existing ones unchanged.
type Packs struct {
	Store    *db.Store
	Embedded *app.Embedded // judge; nil compares words only
	Tenant   db.Tenant
	Drafter  access.Actor // a reviewer
	Approver access.Actor
	Now      func() time.Time    // the store's clock; nil is the machine's
	Wait     func(time.Duration) // moves that clock on; nil where it cannot be moved
}

// now returns the time by the store's clock.
func (p *Packs) now() time.Time {
	if p.Now == nil {
		return time.Now()
	}
	return p.Now()
}

// wait lets the time pass that a person needs.
func (p *Packs) wait(d time.Duration) {
	if p.Wait != nil {
		p.Wait(d)
	}
}

// Seed imports the decisions and moves the pack of each to its stage.
func (p *Packs) Seed(ctx context.Context) error {
	for _, name := range Decisions {
		id, created, err := p.take(ctx, name)
		if err == nil && created {
			err = p.lead(ctx, name, id)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (p *Packs) take(ctx context.Context, name string) (id string, created bool, err error) {
	data, err := FS.ReadFile(name)
	if err != nil {
		return "", false, err
	}
	d, _, err := importers.ReadDecision(data)
	if err != nil {
		return "", false, err
	}
	if name != missing {
		if d.LedgerSessionID, err = p.ledger(ctx, ledgerOf(name)); err != nil {
			return "", false, err
		}
	}
	_, created, err = p.Store.AddDecision(ctx, p.Drafter, d, nil)
	return d.DecisionID, created, err
}

// ledgerOf names the file with a decision's ledger.
func ledgerOf(decision string) string { return strings.Replace(decision, "decision-", "ledger-", 1) }

// ledger imports the ledger of a decision, has the drafter review all of it, and returns its id. The sign-off policy
// refuses a pack whose claims nobody has reviewed (rule P-21).
func (p *Packs) ledger(ctx context.Context, name string) (string, error) {
	data, err := FS.ReadFile(name)
	if err != nil {
		return "", err
	}
	read, err := importers.Read(data, importers.Options{})
	if err != nil {
		return "", err
	}
	at := p.now().UTC().Truncate(time.Microsecond)
	in := app.Importer{Store: p.Store, Actor: p.Drafter, Now: at, NewID: uuid.NewString, Embedded: p.Embedded}
	taken, err := in.Import(ctx, read, nil)
	if err != nil || !taken.Created {
		return taken.SessionID, err
	}
	_, err = p.Store.UpdateSession(ctx, p.Drafter, taken.SessionID,
		db.ClaimReviewed(taken.SessionID, 1, ledger.Confirm),
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			for i := range s.Claims {
				review := ledger.ReviewInput{Action: ledger.Confirm, By: p.Drafter.ID,
					Reason: readings[s.Lang]}
				_, err := s.AddReview(i, review, uuid.NewString(), p.Drafter.User, string(p.Drafter.Role), at)
				if err != nil {
					return nil, nil, err
				}
			}
			l := ledger.Assess(s, p.Tenant.FreshnessMonths)
			return &l, nil, nil
		})
	return taken.SessionID, err
}

// readings are the reasons that the drafter gives, by language.
var readings = map[string]string{
	"en": "Compared with the source word by word.",
	"ar": "قورنت بالمصدر كلمة كلمة.",
}

func (p *Packs) lead(ctx context.Context, name, decisionID string) error {
	if name == missing {
		return nil
	}
	v, err := p.Store.CreatePack(ctx, p.Drafter, decisionID, db.Answering{})
	if err != nil {
		return err
	}
	switch name {
	case signedOff:
		if v, err = p.write(ctx, v, hospitalMemo); err == nil {
			_, err = p.sign(ctx, v, "Read with the licence and the annual report at hand. The meeting may go ahead.")
		}
	case inReview:
		_, err = p.submit(ctx, v)
	case returned:
		err = p.giveBack(ctx, v, "The credit bureau report of the guarantor is restricted, and the memo does not say "+
			"what the committee may know of it. "+
			"Say which findings the limit rests on, and name the guarantee's expiry date.")
	case superseded:
		err = p.replace(ctx, v)
	}
	return err
}

// hospitalMemo replaces the drafted memo with one written by a person.
func hospitalMemo(k *pack.Content) error {
	data, err := FS.ReadFile("memo-hospital-fit.json")
	if err != nil {
		return err
	}
	var m pack.BilingualMemo
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	return k.SetMemo(m)
}

func (p *Packs) write(ctx context.Context, v *db.PackView, change func(*pack.Content) error) (*db.PackView, error) {
	return p.Store.UpdatePack(ctx, p.Drafter, v.Life.PackID, v.Life.Revision, db.Answering{}, change)
}

func (p *Packs) submit(ctx context.Context, v *db.PackView) (*db.PackView, error) {
	return p.Store.SubmitPack(ctx, p.Drafter, v.Life.PackID, v.Life.Revision, db.Answering{})
}

func (p *Packs) sign(ctx context.Context, v *db.PackView, comment string) (*db.PackView, error) {
	p.wait(4 * time.Minute)
	v, err := p.submit(ctx, v)
	if err != nil {
		return nil, err
	}
	p.wait(11 * time.Minute)
	if v, err = p.Store.Pack(ctx, p.Tenant.ID, v.Life.PackID); err != nil { // a source may have become old meanwhile
		return nil, err
	}
	approval := db.Approval{PackID: v.Life.PackID, Revision: v.Life.Revision, Digest: v.Life.Digest, Comment: comment,
		Acknowledged: v.AlarmIDs()}
	return p.Store.ApprovePack(ctx, p.Approver, approval, db.Answering{}, app.RenderPack(&p.Tenant))
}

func (p *Packs) giveBack(ctx context.Context, v *db.PackView, reason string) error {
	v, err := p.submit(ctx, v)
	if err == nil {
		_, err = p.Store.ReturnPack(ctx, p.Approver, v.Life.PackID, v.Life.Revision, reason, db.Answering{})
	}
	return err
}

// replace signs a pack off, and then a second version whose summary says what changed.
func (p *Packs) replace(ctx context.Context, v *db.PackView) error {
	v, err := p.sign(ctx, v, "")
	if err != nil {
		return err
	}
	if v, err = p.Store.NewVersion(ctx, p.Drafter, v.Life.PackID, db.Answering{}); err != nil {
		return err
	}
	v, err = p.write(ctx, v, func(k *pack.Content) error {
		m := k.Memo
		m.ExecutiveSummaryEN += " The vendor has confirmed the 24-hour notice in writing since the first version."
		m.ExecutiveSummaryAR += " وقد أكد المورّد كتابيًا مهلة الإشعار البالغة 24 ساعة بعد الإصدار الأول."
		return k.SetMemo(m)
	})
	if err == nil {
		_, err = p.sign(ctx, v, "يحل هذا الإصدار محل الأول بعد تأكيد المورّد.")
	}
	return err
}
