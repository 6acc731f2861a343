update event
set claim = @claim
where id = @id
