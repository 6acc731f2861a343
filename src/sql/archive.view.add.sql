insert into view (id, session_id, visitor_id, page_id, title_id, seconds, scroll)
values (@id, @session_id, @visitor_id, @page_id, @title_id, @seconds, @scroll)
