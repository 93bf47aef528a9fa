package auditlog

import (
	"encoding/json"
	"errors"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/canonical"
	"sanad/internal/keys"
)

// growing is a tenant's log within one writing transaction.
type growing struct {
	head   audit.TreeHead // as stored
	epoch  int64          // of the next checkpoint
	Tree   audit.Tree     // including the appended events
	signed string         // the checkpoint of tree, set before the commit
}

func (log *growing) Checkpoint(tenant string) audit.Checkpoint {
	return audit.Checkpoint{Tenant: tenant, Epoch: log.epoch, Size: log.Tree.Size(), Root: log.Tree.Root()}
}

// Grow returns the tenant's log for appending, the same one throughout a transaction. The tree comes from memory if it
// is the tree of the stored head, else (another process wrote, or this one has just started) from the database.
func (store *Store) Grow(t *sqldb.Tx, tenant string) (*growing, error) {
	if g := LogOf.Of(t).Logs[tenant]; g != nil {
		return g, nil
	}
	if err := t.Covers(tenant); err != nil {
		return nil, err
	}
	head, found, err := LogHead(t, tenant)
	if err != nil {
		return nil, err
	}
	if found && head.Checkpoint == "" {
		return nil, errors.New("the log was never signed")
	}
	if store.Checkpoints.lost(tenant, head) {
		store.freezeShorter(tenant)
		return nil, store.FrozenError(tenant)
	}
	if !found {
		if err := errors.Join(store.sealLog(t, tenant), store.firstLogKey(t, tenant)); err != nil {
			return nil, err
		}
	}
	tree, ok := store.trees.get(tenant, head)
	if !ok {
		if tree, ok, err = loadTree(t, tenant, head); err != nil {
			return nil, err
		}
	}
	if !ok {
		store.freeze(tenant, changedLog(tenant, "its stored hashes do not make its root"))
		return nil, store.FrozenError(tenant)
	}
	g := &growing{head: head, epoch: head.Epoch, Tree: tree}
	if LogOf.Of(t).Logs == nil {
		LogOf.Of(t).Logs = map[string]*growing{}
	}
	LogOf.Of(t).Logs[tenant] = g
	return g, nil
}

// AppendEvent appends one event: see AppendEvents.
func (store *Store) AppendEvent(t *sqldb.Tx, a access.Actor, ev Event) error {
	return store.AppendEvents(t, a, []Event{ev})
}

// AppendEvents gives events of one actor the next numbers in the tenant's log, in their order, and adds them to the
// tree. The write lock is held, so numbers are unique. What many events say of their sessions is computed together, and
// their rows are written together: 10,000 sessions are assigned in a third of the time that they take one by one. While
// the tenant is frozen, nothing is appended and the change is refused, except for events of logins: people must be able
// to log in and read why, so these events go only to the operator's log; one that records a change, such as the use of
// a recovery code, is refused too.
func (store *Store) AppendEvents(t *sqldb.Tx, a access.Actor, events []Event) error {
	if len(events) == 0 {
		return nil
	}
	if store.FrozenFor(a.Tenant) != "" && !LogOf.Of(t).whileFrozen {
		return store.whileFrozen(t, a, events)
	}
	g, err := store.Grow(t, a.Tenant)
	if err != nil {
		return err
	}
	contents, err := contentsOf(t, a.Tenant, events, g.Tree.Size()+1)
	if err != nil {
		return err
	}
	rows := newEventRows(t, len(events))
	appended := make([]audit.Event, len(events))
	for i := range events {
		if appended[i], err = store.enter(t, a, g, &events[i], contents[events[i].Session], rows); err != nil {
			return err
		}
	}
	if err := rows.flush(); err != nil {
		return err
	}
	for i := range events {
		told := audit.Object{Kind: events[i].Kind, ID: events[i].ObjectID}
		if err := store.OnEvent(t, &appended[i], told, events[i].Also); err != nil {
			return err
		}
	}
	return nil
}

// whileFrozen tells the operator of events of a tenant that only reads, or refuses them.
func (store *Store) whileFrozen(t *sqldb.Tx, a access.Actor, events []Event) error {
	for i := range events {
		if !strings.HasPrefix(events[i].Action, "login.") || len(LogOf.Of(t).records[a.Tenant]) > 0 {
			return store.FrozenError(a.Tenant)
		}
		store.Logger.Warn("event not logged: the store only reads", "action", events[i].Action, "tenant", a.Tenant,
			"actor", a.ID)
	}
	return nil
}

// eventRows are the rows of events that are appended together.
type eventRows struct {
	events, hashes, names *sqldb.Bulk
	marks                 marks
}

// newEventRows returns bulks for so many events.
func newEventRows(t *sqldb.Tx, events int) *eventRows {
	rows := &eventRows{marks: marks{}, hashes: sqldb.NewBulk(t, "log_hashes", "tenant_id, n, hash"),
		events: sqldb.NewBulk(t, "events",
			"tenant_id, seq, id, at, actor, role, action, object_kind, object_id, bytes"),
		names: sqldb.NewBulk(t, "event_names", "tenant_id, seq, address, object_id"),
	}
	rows.events.Few, rows.hashes.Few, rows.names.Few = events == 1, events == 1, events == 1
	return rows
}

func (rows *eventRows) flush() error {
	return errors.Join(rows.events.Flush(), rows.hashes.Flush(), rows.names.Flush())
}

// enter makes the next event of a log, and adds it to the tree; content is what it says of the rows of its session.
func (store *Store) enter(t *sqldb.Tx, a access.Actor, g *growing, ev *Event, content *audit.Content,
	rows *eventRows) (e audit.Event, err error) {
	says, err := store.details(t, a.Tenant, ev, content)
	if err != nil {
		return e, err
	}
	details, err := json.Marshal(says)
	if err != nil {
		return e, err
	}
	at := store.Now()
	e = audit.Event{
		Format: audit.EventFormat, Tenant: a.Tenant, Seq: g.Tree.Size() + 1, ID: store.NewID(), At: sqldb.Stamp(at),
		Actor: a.ID, Role: string(a.Role), Token: a.Token, From: a.From, Trace: a.Trace,
		Action: ev.Action, Object: audit.Object{Kind: ev.Kind, ID: ev.ObjectID}, Details: details,
	}
	if err := rows.marks.name(t, &e, at, rows.names); err != nil {
		return e, err
	}
	bytes, err := canonical.JSON(e)
	if err != nil {
		return e, err
	}
	rows.events.Add(e.Tenant, e.Seq, e.ID, e.At, e.Actor, e.Role, e.Action, e.Object.Kind, e.Object.ID, bytes)
	n := tlog.StoredHashCount(g.Tree.Size())
	for i, h := range g.Tree.Append(audit.LeafHash(bytes)) {
		rows.hashes.Add(e.Tenant, n+int64(i), h[:])
	}
	return e, nil
}

// SignLogs signs the new tree of each log that the transaction has appended to, immediately before the commit.
func (store *Store) SignLogs(t *sqldb.Tx) error {
	for tenant, g := range LogOf.Of(t).Logs {
		note, err := store.SignTree(t, tenant, g)
		if err != nil {
			return err
		}
		if g.signed = note; g.head.Checkpoint == "" {
			if err := store.beginCheckpointFile(t, tenant, g.epoch); err != nil {
				return err
			}
		}
		if err := g.save(t, tenant, sqldb.Stamp(store.Now())); err != nil {
			return err
		}
	}
	return nil
}

// SignTree signs a log's tree within the transaction; the same tree gives the same note.
func (store *Store) SignTree(t *sqldb.Tx, tenant string, g *growing) (string, error) {
	k, err := store.keyInUse(t, tenant, logPurpose)
	if sqldb.NoRow(err) {
		store.freeze(tenant, changedLog(tenant, "its key is gone"))
		return "", store.FrozenError(tenant)
	}
	if err != nil {
		return "", err
	}
	return signCheckpoint(g.Checkpoint(tenant), &k)
}

func signCheckpoint(c audit.Checkpoint, k *TenantKey) (string, error) {
	signer, err := keys.NoteSigner(c.Origin(), k.Private)
	if err != nil {
		return "", err
	}
	return audit.Sign(&c, signer)
}

// beginCheckpointFile writes the checkpoint of the empty log outside the database before its first event is committed,
// so that a kill never leaves a log without a checkpoint.
func (store *Store) beginCheckpointFile(t *sqldb.Tx, tenant string, epoch int64) error {
	k, err := store.keyInUse(t, tenant, logPurpose)
	if err != nil {
		return err
	}
	var empty audit.Tree
	note, err := signCheckpoint(audit.Checkpoint{Tenant: tenant, Epoch: epoch, Root: empty.Root()}, &k)
	if err == nil {
		store.Checkpoints.begin(tenant, note)
	}
	return err
}

// save stores the tree as the log's head.
func (log *growing) save(t *sqldb.Tx, tenant, at string) error {
	root := log.Tree.Root()
	_, err := t.Exec(`INSERT INTO log_heads (tenant_id, epoch, size, root, checkpoint, updated_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (tenant_id) DO UPDATE SET epoch = excluded.epoch, size = excluded.size, root = excluded.root,
		checkpoint = excluded.checkpoint, updated_at = excluded.updated_at`,
		tenant, log.epoch, log.Tree.Size(), root[:], log.signed, at)
	return err
}

// Publish runs after the commit: it remembers the trees, and writes the external checkpoints before the change is
// acknowledged. A change of a log that was forked is not acknowledged.
func (store *Store) Publish(t *sqldb.Tx) (err error) {
	for tenant, g := range LogOf.Of(t).Logs {
		store.trees.put(tenant, g.Tree)
		if store.Checkpoints.offer(g.head, g.Checkpoint(tenant), g.signed) != nil {
			store.freezeForked(tenant)
			err = store.FrozenError(tenant)
		}
	}
	return err
}
