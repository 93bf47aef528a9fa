package main

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/files"
	"sanad/internal/keys"
)

// The bounds of doctor's checks.
const (
	doctorWait    = 5 * time.Second     // for another server
	soonExpires   = 21 * 24 * time.Hour // of a certificate
	clockMayDrift = 2 * time.Minute
	lowSpace      = 1 << 30 // warned of; erasing and restoring need as much as the database is large
	noSpace       = 64 << 20
)

// earliestClock is before any build of this program: a clock before it was never set.
var earliestClock = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// configuration checks the flags one by one, so that one fault does not hide the next.
func (d *doctor) configuration() {
	const check = "configuration"
	before := len(d.findings)
	reached, err := d.c.reach.read()
	_, networks := d.c.webhook.networks()
	_, metrics := d.c.watch.metricsToken()
	_, oidc := d.c.oidc.client(reached.public)
	_, mail := d.c.mail.read(reached.public)
	_, places := d.c.filePlaces()
	process, role := d.c.role.read()
	var fga error
	if d.c.openfga.url != "" {
		_, fga = d.c.openfga.config()
	}
	var viewer error
	if d.c.traceViewer != "" {
		viewer = checkTraceViewer(d.c.traceViewer)
	}
	for _, err := range []error{err, networks, metrics, oidc, mail, fga, viewer, d.c.rate.check(), d.c.memory.check(),
		d.c.contact.check(), places, role} {
		if err != nil {
			d.fault(check, "correct the flag, the variable or the line of the file (docs/flags.md)", "%v", err)
		}
	}
	if err == nil && !reached.secure && !reached.trustProxy && !strings.HasPrefix(d.c.addr, "127.") &&
		!strings.HasPrefix(d.c.addr, "localhost:") && !strings.HasPrefix(d.c.addr, "[::1]:") {
		d.warn(check, "give --tls-cert and --tls-key, or let a proxy do TLS and give --trust-proxy and --public-url",
			"%s can be reached by others without TLS: passwords travel in the clear", d.c.addr)
	}
	if process == roleWeb {
		d.warn(check, "see that a process with --role worker runs on the same store (sanad_jobs_oldest_seconds in /metrics)",
			"this process takes no jobs and sends no mails and webhooks")
	}
	if c := d.c.configFile; c != "" && changeable(c) != "" {
		d.fault(check, "let only its owner write there (chmod go-w)", "%s", changeable(c))
	}
	if len(d.findings) == before {
		d.ok(check, "every flag has a value that can be used")
	}
}

func (d *doctor) certificate() {
	const check = "certificate"
	if d.c.reach.cert == "" || d.c.reach.key == "" {
		return
	}
	c, err := loadCertificate(d.c.reach.cert, d.c.reach.key)
	if err != nil {
		return // configuration has said it
	}
	leaf, err := x509.ParseCertificate(c.pair.Certificate[0])
	left := time.Duration(0)
	if err == nil {
		left = time.Until(leaf.NotAfter)
	}
	switch until := "until " + leaf.NotAfter.Format(time.DateOnly); {
	case err != nil:
		d.fault(check, "get a new one", "%s: %v", d.c.reach.cert, err)
	case left <= 0:
		d.fault(check, "renew it; the server takes the new file without a restart", "it was valid %s", until)
	case left < soonExpires:
		d.warn(check, "renew it; the server takes the new file without a restart", "it is valid %s only", until)
	default:
		d.ok(check, "valid %s", until)
	}
}

func (d *doctor) masterKey() *keys.Box {
	const check = "master key"
	box, err := d.c.box()
	if err != nil {
		d.fault(check,
			"sanad key init FILE makes one for a new database; an older database needs the one that it was made with",
			"%v", err)
		return nil
	}
	name := d.c.masterKeyFile
	if left := filepath.Join(d.c.data, ownKeyName); !inside(name, d.c.data) && isThere(left) {
		d.warn(check, keyApart, "%s lies in the data folder, beside what it may have sealed", left)
	}
	if name == "" {
		d.ok(check, "it can be read")
		return box
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		d.fault(check, "see that the file stays where it is", "%v", err)
	case info.Mode().Perm()&0o007 != 0 && filepath.Separator == '/':
		d.fault(check, "chmod o-rwx "+name, "%s may be used by every user of this machine (mode %04o)",
			name, info.Mode().Perm())
	case changeable(name) != "":
		d.fault(check, "let only its owner write there (chmod go-w)", "%s", changeable(name))
	case inside(name, d.c.data):
		d.warn(check, keyApart, "%s lies in the data folder, beside what it seals", name)
	default:
		d.ok(check, "%s", name)
	}
	return box
}

// keyApart is the mend of a master key in the data folder.
const keyApart = "move it elsewhere: a copy of the folder holds both, so whoever has it can open what is sealed; " +
	"sanad backup leaves the key out"

// isThere reports whether there is a file.
func isThere(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// inside reports whether a file lies in a folder or below it.
func inside(name, dir string) bool {
	if name == "" {
		return false
	}
	a, err1 := filepath.Abs(name)
	b, err2 := filepath.Abs(dir)
	rel, err3 := filepath.Rel(b, a)
	return errors.Join(err1, err2, err3) == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (d *doctor) folders() {
	d.folder("data folder", d.c.data, true)
	places, err := d.c.filePlaces()
	if err != nil {
		return // configuration has said it
	}
	checkpoints := places.checkpoints
	if dir, err := files.FolderOf(checkpoints); err == nil && dir != "" {
		checkpoints = dir
	} else if strings.Contains(checkpoints, "://") {
		d.place("checkpoints", checkpoints)
		return
	}
	if checkpoints == "" {
		if abs, err := filepath.Abs(d.c.data); err == nil {
			checkpoints = abs + "-checkpoints"
		}
	}
	if d.folder("checkpoints", checkpoints, false) && d.c.database == "" && files.SameDevice(d.c.data, checkpoints) {
		d.warn("checkpoints", "name a folder on another disk with --checkpoints, and move the files there",
			"they are on the data's own device: who can replace the one can replace the other")
	}
}

// folder checks a folder that the server writes to, and reports whether it can be used.
func (d *doctor) folder(check, dir string, private bool) bool {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		parent := filepath.Dir(dir)
		if err := writable(parent); err != nil {
			d.fault(check, "make it, for the user that the server runs as", "%s does not exist and cannot be made: %v", dir,
				err)
			return false
		}
		d.ok(check, "%s does not exist yet; the server makes it", dir)
		return true
	case err != nil:
		d.fault(check, "give the user that the server runs as access to it", "%v", err)
		return false
	case !info.IsDir():
		d.fault(check, "name a folder", "%s is no folder", dir)
		return false
	}
	if err := writable(dir); err != nil {
		d.fault(check, "chown it to the user that the server runs as, and run doctor as that user", "%v", err)
		return false
	}
	if free, ok := freeSpace(dir); ok && free < lowSpace {
		say := d.warn
		if free < noSpace {
			say = d.fault
		}
		say(check, "make room: the server refuses writes when the disk is full", "%s has %d MiB left", dir, free>>20)
		return true
	}
	if private && info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
		d.warn(check, "chmod 0700 "+dir, "others may look into %s (mode %04o)", dir, info.Mode().Perm())
		return true
	}
	d.ok(check, "%s", dir)
	return true
}

// writable makes a file in a folder and removes it.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// witness compares the logs with their checkpoints outside the database.
func (d *doctor) witness(box *keys.Box) {
	const check = "witness"
	if box == nil {
		return // masterKey has said it
	}
	places, err := d.c.filePlaces()
	if err != nil {
		return // configuration has said it
	}
	o := db.Options{Dir: d.c.data, Database: d.c.database, Checkpoints: places.checkpoints, Keys: box}
	logs, faults, err := backup.ExamineWitness(d.ctx, o)
	switch {
	case errors.Is(err, db.ErrNotOpened): // database has said it
	case err != nil:
		d.fault(check, "see that the checkpoints can be read (--checkpoints)", "%v", explained(err))
	case faults != nil:
		d.fault(check, "stop every server but one; if none runs on another copy of the database, sanad audit verify says "+
			"more, and sanad restore puts back a backup", "%s", strings.Join(faults, "; "))
	case logs > 0:
		d.ok(check, "each of %d logs is the one that its checkpoint outside the database has seen", logs)
	}
}

func (d *doctor) database(box *keys.Box) {
	const check = "database"
	e, err := backup.Examine(d.ctx, db.Options{Dir: d.c.data, Database: d.c.database, Keys: box})
	switch {
	case errors.Is(err, db.ErrNotOpened):
		d.fault(check, "see --database and the server that it names; nothing is said of the data", "%v", explained(err))
	case err != nil:
		d.fault(check, "restore the newest backup that sanad restore --check accepts", "it cannot be read: %v",
			explained(err))
	case e.Missing:
		d.ok(check, "%s: not created yet; the server creates it at its first start", e.Place)
	case e.Damage != nil:
		d.fault(check, "stop the server and restore the newest good backup with sanad restore", "it is damaged: %s",
			strings.Join(e.Damage, "; "))
	case e.Refused != nil:
		d.fault(check, "begin a new store in an empty data folder or database", "%v", e.Refused)
	case e.Serves:
		d.warn(check, "replace this program by that version too",
			"a newer version made it: level %d; this program knows %d and may serve it until it is replaced", e.Level, e.Known)
	case e.Level > e.Known:
		d.fault(check, "use that version of sanad, or a newer one",
			"a newer version made it: level %d, this program knows %d", e.Level, e.Known)
	case e.Other != "":
		d.fault(check, "use the sanad that made it", "migration %s is not the one that this program knows", e.Other)
	case e.WrongKey != nil:
		d.fault(check, "give the master key that sealed it last", "%v", e.WrongKey)
	case e.Level < e.Known:
		d.warn(check, "sanad backup first; then start the server, or sanad migrate",
			"level %d is older than this program's %d: it will be migrated, and the older program cannot go on with it",
			e.Level, e.Known)
	default:
		tenants := fmt.Sprintf("%d tenants", e.Tenants)
		if e.Tenants == 1 {
			tenants = "1 tenant"
		}
		d.ok(check, "%s: sound, at level %d, with %s", e.Place, e.Level, tenants)
		d.keys(e.Keys, time.Now())
	}
	d.clock(e.Newest, time.Now())
}

// keyPeriod is how long a tenant's key signs before it should be replaced (docs/asvs.md; NIST SP 800-57: 1 to 3 years).
const keyPeriod = 2 * 365 * 24 * time.Hour

// keys warns of keys that have signed for longer than their period.
func (d *doctor) keys(all []backup.KeyInUse, now time.Time) {
	const check = "keys"
	old := 0
	for _, k := range all {
		if now.Sub(k.CreatedAt) > keyPeriod {
			old++
			d.warn(check, "sanad key rotate --tenant "+k.Tenant+" --purpose "+k.Purpose,
				"the key %s of the tenant %s is of %s, more than two years old", k.Purpose, k.Tenant,
				k.CreatedAt.Format(time.DateOnly))
		}
	}
	if old == 0 {
		d.ok(check, "none of %d is older than two years", len(all))
	}
}

// explained returns the words of explain, as an error.
func explained(err error) error { return errors.New(explain(err)) }

// clock compares the clock with what was recorded last: events must not go back in time, and one-time codes, logins and
// tokens need the right time.
func (d *doctor) clock(newest, now time.Time) {
	const check, mend = "clock", "set the time and keep it by NTP (timedatectl set-ntp true)"
	switch {
	case now.Before(earliestClock):
		d.fault(check, mend, "it says %s", now.Format(time.RFC3339))
	case newest.After(now.Add(clockMayDrift)):
		d.fault(check, mend, "it says %s, but the newest event in the log is of %s", now.UTC().Format(time.RFC3339),
			newest.Format(time.RFC3339))
	default:
		if synchronized, known := clockSynchronized(); known && !synchronized {
			d.warn(check, mend, "the system does not keep it synchronised")
			return
		}
		d.ok(check, "%s", now.UTC().Format(time.RFC3339))
	}
}
