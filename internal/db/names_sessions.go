package db

import "sanad/internal/db/sessions"

// What callers know of package sessions by the store's name.
type (
	Attachment        = sessions.Attachment
	Export            = sessions.Export
	JudgeRequest      = sessions.JudgeRequest
	Judged            = sessions.Judged
	Original          = sessions.Original
	OriginalMeta      = sessions.OriginalMeta
	PageQuery         = sessions.PageQuery
	ReaderCalibration = sessions.ReaderCalibration
	Reassessed        = sessions.Reassessed
	ReviewRequest     = sessions.ReviewRequest
	RunClaim          = sessions.RunClaim
	SessionShown      = sessions.SessionShown
	Withdrawal        = sessions.Withdrawal
	sessionStore      = sessions.Store
)

// What callers know of package sessions by the store's name.
const (
	MaxMatching   = sessions.MaxMatching
	MaxSavedViews = sessions.MaxSavedViews
	MaxViewName   = sessions.MaxViewName
)

// What callers know of package sessions by the store's name.
var (
	HashToken    = sessions.HashToken
	MaySeeSealed = sessions.MaySeeSealed
)
