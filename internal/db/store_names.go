package db

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/bundles"
	"sanad/internal/db/erasure"
	"sanad/internal/db/jobs"
	"sanad/internal/db/library"
	"sanad/internal/db/live"
	"sanad/internal/db/models"
	"sanad/internal/db/notices"
	"sanad/internal/db/packs"
	"sanad/internal/db/people"
	"sanad/internal/db/policies"
	"sanad/internal/db/reads"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sessions"
	"sanad/internal/db/statistics"
	"sanad/internal/db/webhooks"
)

// The rooms, under the names by which Store embeds them.
type (
	auditLog        = auditlog.Store
	bundleStore     = bundles.Store
	erasureStore    = erasure.Store
	jobStore        = jobs.Store
	libraryStore    = library.Store
	liveStore       = live.Store
	modelStore      = models.Store
	noticeStore     = notices.Store
	packStore       = packs.Store
	peopleStore     = people.Store
	policyStore     = policies.Store
	receiptStore    = receipts.Store
	sessionStore    = sessions.Store
	statisticsStore = statistics.Store
	webhookStore    = webhooks.Store
)

// Callers know the types of the rooms by the names of the store.
type (
	ContentError = auditlog.ContentError
	ContentPass  = auditlog.ContentPass
	Event        = auditlog.Event
	TrustedKey   = auditlog.TrustedKey

	BuiltBundle = bundles.BuiltBundle

	ClaimedJob = jobs.ClaimedJob
	JobBeat    = jobs.JobBeat
	JobInput   = jobs.JobInput
	JobQuery   = jobs.JobQuery
	PerTenant  = jobs.PerTenant

	LibraryAnswering = library.Answering

	ClaimedTrace = live.ClaimedTrace
	KeptSpans    = live.KeptSpans
	TraceOutcome = live.TraceOutcome

	ModelReviews = models.ModelReviews

	DueChange    = notices.DueChange
	DueMail      = notices.DueMail
	DueNow       = notices.DueNow
	MailAttempt  = notices.MailAttempt
	MailSettings = notices.MailSettings
	MailTarget   = notices.MailTarget

	Answering       = packs.Answering
	NewFile         = packs.NewFile
	Approval        = packs.Approval
	BrokenPackError = packs.BrokenPackError
	PackView        = packs.PackView
	RenderPack      = packs.RenderPack
	StoredDecision  = packs.StoredDecision

	AskedError  = people.AskedError
	DeputyDays  = people.DeputyDays
	Membership  = people.Membership
	NewPassword = people.NewPassword
	SignedIn    = people.SignedIn
	Tenant      = people.Tenant
	User        = people.User

	Receipt     = receipts.Receipt
	ReplayError = receipts.ReplayError

	AssignMany        = sessions.AssignMany
	Attachment        = sessions.Attachment
	Export            = sessions.Export
	JudgeRequest      = sessions.JudgeRequest
	ReviewRequest     = sessions.ReviewRequest
	Judged            = sessions.Judged
	Original          = sessions.Original
	OriginalMeta      = sessions.OriginalMeta
	PageQuery         = sessions.PageQuery
	ReaderCalibration = sessions.ReaderCalibration
	Reassessed        = sessions.Reassessed
	RunClaim          = sessions.RunClaim
	SessionShown      = sessions.SessionShown
	Withdrawal        = sessions.Withdrawal

	Attempt       = webhooks.Attempt
	DueDelivery   = webhooks.DueDelivery
	WebhookChange = webhooks.WebhookChange
)

// Callers know the constants of the rooms likewise.
const (
	CheckpointFileMissing = auditlog.CheckpointFileMissing

	MaxOpenJobs = jobs.MaxOpenJobs

	ExportAsked   = packs.ExportAsked
	ExportGranted = packs.ExportGranted
	ExportRefused = packs.ExportRefused
	FileErased    = packs.FileErased
	PurgeAsked    = packs.PurgeAsked
	PurgeDone     = packs.PurgeDone
	PurgeRefused  = packs.PurgeRefused

	SystemTenant = reads.SystemTenant

	MaxMatching   = sessions.MaxMatching
	MaxSavedViews = sessions.MaxSavedViews
	MaxViewName   = sessions.MaxViewName

	DeliveryDone    = webhooks.DeliveryDone
	DeliveryDropped = webhooks.DeliveryDropped
	DeliveryFailed  = webhooks.DeliveryFailed
	DeliveryWaiting = webhooks.DeliveryWaiting
)

// Callers know the functions and errors of the rooms likewise.
var (
	ClaimReviewed     = auditlog.ClaimReviewed
	ErrWrongMasterKey = auditlog.ErrWrongMasterKey
	SessionExported   = auditlog.SessionExported

	ArtifactOf  = bundles.ArtifactOf
	BuildDigest = bundles.BuildDigest

	TOTPContext = people.TOTPContext

	HashToken    = sessions.HashToken
	MaySeeSealed = sessions.MaySeeSealed
)
