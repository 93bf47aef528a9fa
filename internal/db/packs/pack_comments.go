package packs

import (
	"cmp"
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

// PackComments is what people said of a pack, and whom its readers can mention.
type PackComments struct {
	Comments []pack.Comment // oldest first
	People   []access.Named // with what to type after the @
}

// PackComments returns the comments on a pack, oldest first. NotFound for another tenant's pack.
func (store *Store) PackComments(ctx context.Context, tenant, packID string) (out PackComments, err error) {
	err = store.Read(ctx, "PackComments", func(t *sqldb.Tx) error {
		if err := packExists(t, tenant, packID); err != nil {
			return err
		}
		if out.Comments, err = packComments(t, tenant, packID); err != nil {
			return err
		}
		if err := nameMentions(t, tenant, out.Comments); err != nil {
			return err
		}
		out.People, err = reads.Mentionable(t, tenant)
		return err
	})
	return out, err
}

func packExists(t *sqldb.Tx, tenant, packID string) error {
	var one int
	return t.Row("SELECT 1 FROM evidence_packs WHERE tenant_id = ? AND pack_id = ?", []any{tenant, packID}, &one)
}

func packComments(t *sqldb.Tx, tenant, packID string) ([]pack.Comment, error) {
	return sqldb.Collect(t, "SELECT c.id, c.by_id, coalesce("+reads.NameOf("c",
		"by_id")+`, c.name), c.role, c.at, c.text, c.mentions,
		c.action, c.asks, c.thread, c.withdrawn_at
		FROM pack_comments c WHERE c.tenant_id = ? AND c.pack_id = ? ORDER BY c.n`, []any{tenant, packID},
		func(r sqldb.Scanner, c *pack.Comment) error {
			return r.Scan(&c.ID, &c.By, &c.Name, &c.Role, sqldb.TimeInto(&c.At), &c.Text, sqldb.JSONInto(&c.Mentions),
				&c.Action, &c.Asks, &c.Thread, sqldb.TimeOrNoneInto(&c.Withdrawn))
		})
}

// nameMentions sets the present names of who is mentioned.
func nameMentions(t *sqldb.Tx, tenant string, all []pack.Comment) error {
	var ids []any
	for i := range all {
		for _, id := range notify.Addressed(all[i].Mentions) {
			ids = append(ids, id)
		}
	}
	if ids == nil {
		return nil
	}
	names := map[string]string{}
	list, args := sqldb.InList(ids)
	err := t.Each(`SELECT u.id, u.name FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.user_id IN `+list, append([]any{tenant}, args...), func(r sqldb.Scanner) error {
		var id, name string
		err := r.Scan(&id, &name)
		names[id] = name
		return err
	})
	for i := range all {
		for j := range all[i].Mentions {
			m := &all[i].Mentions[j]
			m.Name = names[m.ID]
		}
	}
	return err
}

// AddPackComment stores what somebody says of a pack, tells whom it addresses and the people of its thread, and logs
// it. Of c are given: what is done, its text, whether it asks for an answer, and a comment of its thread. receipt makes
// the answer that is stored under the Idempotency-Key key ("" and nil if none).
func (store *Store) AddPackComment(ctx context.Context, a access.Actor, packID string, c pack.Comment, key string,
	receipt func(*pack.Comment) (*receipts.Receipt, error)) (_ pack.Comment, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "AddPackComment", func(t *sqldb.Tx) error {
		if err := store.Unanswered(t, a.Tenant, &receipts.Receipt{Key: key}); err != nil {
			return err
		}
		if err := packExists(t, a.Tenant, packID); err != nil {
			return err
		}
		c.Action = cmp.Or(c.Action, ledger.Comment)
		if c.Text, err = pack.CheckComment(&c); err != nil {
			return sqldb.AsIs(err)
		}
		c.ID, c.By, c.Name, c.Role, c.At = store.NewID(), a.ID, a.User, string(a.Role), store.Now().UTC()
		if c.Mentions, err = reads.FindMentions(t, a.Tenant, c.Text); err != nil {
			return err
		}
		all, err := packComments(t, a.Tenant, packID)
		if err != nil {
			return err
		}
		if err := pack.Takes(all, &c); err != nil {
			return sqldb.AsIs(err)
		}
		if err := insertComment(t, a.Tenant, packID, len(all), &c); err != nil {
			return err
		}
		if err := store.tellCommented(t, a, packID, all, &c); err != nil {
			return err
		}
		return store.answered(t, a.Tenant, receipt, &c)
	})
	return c, err
}

func insertComment(t *sqldb.Tx, tenant, packID string, n int, c *pack.Comment) error {
	said, err := sqldb.JSONText(append([]notify.Mention{}, c.Mentions...))
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO pack_comments (tenant_id, pack_id, n, id, by_id, name, role, at, text, mentions, action,
		asks, thread, withdrawn_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')`,
		tenant, packID, n, c.ID, c.By, c.Name, c.Role,
		sqldb.Stamp(c.At), c.Text, said, string(c.Action), c.Asks, c.Thread)
	auditlog.Record(t, tenant, auditlog.Wrote("pack_comments", []any{packID, n}))
	return err
}

// tellCommented logs a new comment and tells those whom it addresses, and the people of its thread; all are the
// comments before it.
func (store *Store) tellCommented(t *sqldb.Tx, a access.Actor, packID string, all []pack.Comment,
	c *pack.Comment) error {
	ids := notify.Addressed(c.Mentions)
	tell := func(kind notify.Kind, all []string) error {
		for _, id := range all {
			err := store.Needs.Notices.Notify(t, a.Tenant,
				&notify.Message{To: id, By: a.ID, Kind: kind, ObjectKind: notify.Pack, ObjectID: packID,
					Place: c.Place(), Key: string(kind) + "/" + c.ID})
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := tell(notify.Mentioned, ids); err != nil {
		return err
	}
	others := notify.Others(pack.PeopleOf(all, c), c.Mentions, a.ID)
	if err := tell(notify.OfThread(c.Action == ledger.Resolve), others); err != nil {
		return err
	}
	details := map[string]any{"comment": c.ID}
	if c.Action == ledger.Comment {
		details["text_commitment"] = auditlog.Hide(c.Text)
	}
	if c.Asks {
		details["asks"] = true
	}
	if c.Thread != "" {
		details["thread"] = c.Thread
	}
	if len(ids) > 0 {
		details["mentions"] = ids
	}
	return store.AppendEvent(t, a, packEvent(commentEvents[c.Action], packID, details))
}

// commentEvents are the events of what people say of a pack.
var commentEvents = map[ledger.Action]string{ledger.Comment: "pack.commented", ledger.Resolve: "pack.thread_resolved",
	ledger.Reopen: "pack.thread_reopened"}

// answered stores the receipt of a comment.
func (store *Store) answered(t *sqldb.Tx, tenant string, receipt func(*pack.Comment) (*receipts.Receipt, error),
	c *pack.Comment) error {
	if receipt == nil {
		return nil
	}
	r, err := receipt(c)
	if err != nil || r == nil {
		return err
	}
	return store.KeepReceipt(t, tenant, r, store.Now())
}

// WithdrawPackComment marks a comment as withdrawn by its author, and logs it. Its text stays, marked as withdrawn;
// whom it addressed keeps the notification.
func (store *Store) WithdrawPackComment(ctx context.Context, a access.Actor, packID, id, key string,
	receipt func(*pack.Comment) (*receipts.Receipt, error)) error {
	return store.Write(ctx, sqldb.OfTenant(a.Tenant), "WithdrawPackComment", func(t *sqldb.Tx) error {
		if err := store.Unanswered(t, a.Tenant, &receipts.Receipt{Key: key}); err != nil {
			return err
		}
		if err := packExists(t, a.Tenant, packID); err != nil {
			return err
		}
		all, err := packComments(t, a.Tenant, packID)
		if err != nil {
			return err
		}
		if err := pack.MayWithdraw(all, id, a); err != nil {
			return sqldb.AsIs(err)
		}
		n, at := 0, store.Now().UTC()
		for i := range all {
			if all[i].ID == id {
				n = i
				all[i].Withdrawn = at
			}
		}
		if _, err := t.Exec("UPDATE pack_comments SET withdrawn_at = ? WHERE tenant_id = ? AND pack_id = ? AND n = ?",
			sqldb.Stamp(at), a.Tenant, packID, n); err != nil {
			return err
		}
		auditlog.Record(t, a.Tenant, auditlog.Wrote("pack_comments", []any{packID, n}, "withdrawn_at"))
		if err := store.AppendEvent(t, a, packEvent("pack.comment_withdrawn", packID,
			map[string]any{"comment": id})); err != nil {
			return err
		}
		return store.answered(t, a.Tenant, receipt, &all[n])
	})
}
