-- name: visitor.forget-lasting
delete from visitor
where day = @day

-- name: visitor.forget-before
-- Without its salt a hash identifies nobody; the visitor's number stays in sessions and views.
delete from visitor
where day < @day
